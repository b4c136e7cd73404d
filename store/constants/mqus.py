import enum


class MQUS(enum.IntEnum):
    """What a queue is used for."""

    NORMAL = 0
    TRANSMISSION = 1
