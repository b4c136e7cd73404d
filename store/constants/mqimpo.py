import enum


class MQIMPO(enum.IntEnum):
    """What MQINQMP looks for and converts; the values can be added."""

    INQ_FIRST = 0
    CONVERT_TYPE = 2
    QUERY_LENGTH = 4
    INQ_NEXT = 8
    INQ_PROP_UNDER_CURSOR = 16
    CONVERT_VALUE = 32
