import enum


class MQBT(enum.IntEnum):
    """Types of bridge."""

    OTMA = 1
