import enum


class MQOPER(enum.IntEnum):
    """What an activity did with a message."""

    SYSTEM_FIRST = 0
    UNKNOWN = 0
    BROWSE = 1
    DISCARD = 2
    GET = 3
    PUT = 4
    PUT_REPLY = 5
    PUT_REPORT = 6
    RECEIVE = 7
    SEND = 8
    TRANSFORM = 9
    PUBLISH = 10
    EXCLUDED_PUBLISH = 11
    DISCARDED_PUBLISH = 12
    SYSTEM_LAST = 65535
    APPL_FIRST = 65536
    APPL_LAST = 999999999
