import enum


class MQTYPE(enum.IntEnum):
    """Types of message properties."""

    AS_SET = 0
    NULL = 2
    BOOLEAN = 4
    BYTE_STRING = 8
    INT8 = 16
    INT16 = 32
    INT32 = 64
    LONG = 64
    INT64 = 128
    FLOAT32 = 256
    FLOAT64 = 512
    STRING = 1024
