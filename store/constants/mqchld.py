import enum


class MQCHLD(enum.IntEnum):
    """Dispositions of channels in a queue-sharing group (DEFCDISP)."""

    ALL = -1
    DEFAULT = 1
    SHARED = 2
    PRIVATE = 4
    FIXSHARED = 5
