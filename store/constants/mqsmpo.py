import enum


class MQSMPO(enum.IntEnum):
    """Where MQSETMP sets a property."""

    SET_FIRST = 0
    SET_PROP_UNDER_CURSOR = 1
    SET_PROP_AFTER_CURSOR = 2
    APPEND_PROPERTY = 4
    SET_PROP_BEFORE_CURSOR = 8
