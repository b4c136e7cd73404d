import enum


class MQCOMPRESS(enum.IntEnum):
    """Compression of the headers and messages of a channel."""

    NOT_AVAILABLE = -1
    NONE = 0
    RLE = 1
    ZLIBFAST = 2
    ZLIBHIGH = 4
    SYSTEM = 8
    LZ4FAST = 16
    LZ4HIGH = 32
    ANY = 268435455
