import enum


class MQMCP(enum.IntEnum):
    """How properties are carried to a consumer."""

    COMPAT = -2
    ALL = -1
    NONE = 0
    USER = 1
    REPLY = 2
