import enum


class MQMCP(enum.IntEnum):
    """Which properties a multicast message carries (MCPROP)."""

    COMPAT = -2
    ALL = -1
    NONE = 0
    USER = 1
    REPLY = 2
