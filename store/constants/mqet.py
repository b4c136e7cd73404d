import enum


class MQET(enum.IntEnum):
    """Types of escape command."""

    MQSC = 1
