import enum


class MQUA(enum.IntEnum):
    """The range of selectors for user attributes."""

    FIRST = 65536
    LAST = 999999999
