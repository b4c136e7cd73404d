import enum


class MQCFOP(enum.IntEnum):
    """Operators of PCF filters."""

    LESS = 1
    EQUAL = 2
    NOT_GREATER = 3
    GREATER = 4
    NOT_EQUAL = 5
    NOT_LESS = 6
    CONTAINS = 10
    EXCLUDES = 13
    LIKE = 18
    NOT_LIKE = 21
    CONTAINS_GEN = 26
    EXCLUDES_GEN = 29
