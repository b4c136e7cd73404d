import enum


class MQQO(enum.IntEnum):
    """Whether a queue is open for something."""

    NO = 0
    YES = 1
