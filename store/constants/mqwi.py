import enum


class MQWI(enum.IntEnum):
    """Wait intervals."""

    UNLIMITED = -1
