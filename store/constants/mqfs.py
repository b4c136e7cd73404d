import enum


class MQFS(enum.IntEnum):
    """Sizes that a word stands for."""

    SHARED = -1
