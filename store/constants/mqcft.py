import enum


class MQCFT(enum.IntEnum):
    """Types of PCF message and of PCF parameter."""

    NONE = 0
    COMMAND = 1
    RESPONSE = 2
    INTEGER = 3
    STRING = 4
    INTEGER_LIST = 5
    STRING_LIST = 6
    EVENT = 7
    USER = 8
    BYTE_STRING = 9
    TRACE_ROUTE = 10
    REPORT = 12
    INTEGER_FILTER = 13
    STRING_FILTER = 14
    BYTE_STRING_FILTER = 15
    COMMAND_XR = 16
    XR_MSG = 17
    XR_ITEM = 18
    XR_SUMMARY = 19
    GROUP = 20
    STATISTICS = 21
    ACCOUNTING = 22
    INTEGER64 = 23
    INTEGER64_LIST = 25
    APP_ACTIVITY = 26
    STATUS = 27
