import enum


class MQLOGTYPE(enum.IntEnum):
    """Types of log."""

    CIRCULAR = 0
    LINEAR = 1
    REPLICATED = 2
