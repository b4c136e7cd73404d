import enum


class MQQT(enum.IntEnum):
    """Queue types."""

    LOCAL = 1
    MODEL = 2
    ALIAS = 3
    REMOTE = 6
    CLUSTER = 7
    ALL = 1001
