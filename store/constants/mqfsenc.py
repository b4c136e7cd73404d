import enum


class MQFSENC(enum.IntEnum):
    """Whether a file system is encrypted."""

    NO = 0
    YES = 1
    UNKNOWN = 2
