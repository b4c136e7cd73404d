import enum


class MQDLV(enum.IntEnum):
    """Which subscribers must receive a publication for the put to succeed."""

    AS_PARENT = 0
    ALL = 1
    ALL_DUR = 2
    ALL_AVAIL = 3
