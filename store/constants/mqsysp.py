import enum


class MQSYSP(enum.IntEnum):
    """Parameters of a queue manager on z/OS."""

    NO = 0
    YES = 1
    EXTENDED = 2
    TYPE_INITIAL = 10
    TYPE_SET = 11
    TYPE_LOG_COPY = 12
    TYPE_LOG_STATUS = 13
    TYPE_ARCHIVE_TAPE = 14
    ALLOC_BLK = 20
    ALLOC_TRK = 21
    ALLOC_CYL = 22
    STATUS_BUSY = 30
    STATUS_PREMOUNT = 31
    STATUS_AVAILABLE = 32
    STATUS_UNKNOWN = 33
    STATUS_ALLOC_ARCHIVE = 34
    STATUS_COPYING_BSDS = 35
    STATUS_COPYING_LOG = 36
