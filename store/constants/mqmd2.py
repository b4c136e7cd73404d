import enum


class MQMD2(enum.IntEnum):
    """Length of the message descriptor of version 2."""

    LENGTH_1 = 324
    CURRENT_LENGTH = 364
    LENGTH_2 = 364
