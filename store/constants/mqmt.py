import enum


class MQMT(enum.IntEnum):
    """Message types."""

    REQUEST = 1
    SYSTEM_FIRST = 1
    REPLY = 2
    REPORT = 4
    DATAGRAM = 8
    MQE_FIELDS_FROM_MQE = 112
    MQE_FIELDS = 113
    SYSTEM_LAST = 65535
    APPL_FIRST = 65536
    APPL_LAST = 999999999
