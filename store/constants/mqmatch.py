import enum


class MQMATCH(enum.IntEnum):
    """How a channel authentication record is looked for."""

    GENERIC = 0
    RUNCHECK = 1
    EXACT = 2
    ALL = 3
