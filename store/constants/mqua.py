import enum


class MQUA(enum.IntEnum):
    """The range of types that applications may give to attributes."""

    FIRST = 65536
    LAST = 999999999
