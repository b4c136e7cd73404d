import enum


class MQTMC2(enum.IntEnum):
    """Length of the trigger message in characters of version 2."""

    LENGTH_1 = 684
    CURRENT_LENGTH = 732
    LENGTH_2 = 732
