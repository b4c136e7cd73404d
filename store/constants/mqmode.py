import enum


class MQMODE(enum.IntEnum):
    """How something is stopped."""

    FORCE = 0
    QUIESCE = 1
    TERMINATE = 2
