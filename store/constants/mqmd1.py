import enum


class MQMD1(enum.IntEnum):
    """Length of the message descriptor of version 1."""

    CURRENT_LENGTH = 324
    LENGTH_1 = 324
