import enum


class MQLR(enum.IntEnum):
    """Numbers that a word stands for."""

    MAX = -2
    AUTO = -1
    ONE = 1
