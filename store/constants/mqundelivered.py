import enum


class MQUNDELIVERED(enum.IntEnum):
    """What is done with a publication that cannot be delivered."""

    NORMAL = 0
    SAFE = 1
    DISCARD = 2
    KEEP = 3
