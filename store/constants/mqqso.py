import enum


class MQQSO(enum.IntEnum):
    """How a queue is open."""

    NO = 0
    SHARED = 1
    YES = 1
    EXCLUSIVE = 2
