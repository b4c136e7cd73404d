import enum


class MQQSUM(enum.IntEnum):
    """Whether a queue has uncommitted messages (UNCOM)."""

    NO = 0
    YES = 1
