import enum


class MQCHLD(enum.IntEnum):
    """Where a channel is started: anywhere, privately, shared."""

    ALL = -1
    DEFAULT = 1
    SHARED = 2
    PRIVATE = 4
    FIXSHARED = 5
