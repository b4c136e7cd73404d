import enum


class MQEXT(enum.IntEnum):
    """What an export contains."""

    ALL = 0
    OBJECT = 1
    AUTHORITY = 2
