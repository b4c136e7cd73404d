import enum


class MQSUBTYPE(enum.IntEnum):
    """Types of subscription."""

    USER = -2
    ALL = -1
    API = 1
    ADMIN = 2
    PROXY = 3
