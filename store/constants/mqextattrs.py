import enum


class MQEXTATTRS(enum.IntEnum):
    """Which attributes an export shows."""

    ALL = 0
    NONDEF = 1
