import enum


class MQERO(enum.IntEnum):
    """Reserved for options; NONE is the only one."""

    NONE = 0
