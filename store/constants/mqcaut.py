import enum


class MQCAUT(enum.IntEnum):
    """Types of channel authentication record."""

    ALL = 0
    BLOCKUSER = 1
    BLOCKADDR = 2
    SSLPEERMAP = 3
    ADDRESSMAP = 4
    USERMAP = 5
    QMGRMAP = 6
