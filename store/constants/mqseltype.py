import enum


class MQSELTYPE(enum.IntEnum):
    """Types of selector."""

    NONE = 0
    STANDARD = 1
    EXTENDED = 2
