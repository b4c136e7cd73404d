import enum


class MQQSUM(enum.IntEnum):
    """Whether a queue's status is a summary."""

    NO = 0
    YES = 1
