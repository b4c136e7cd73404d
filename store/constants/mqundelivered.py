import enum


class MQUNDELIVERED(enum.IntEnum):
    """What is done with messages of publish/subscribe that cannot be delivered (PSNPMSG, PSNPRES)."""

    NORMAL = 0
    SAFE = 1
    DISCARD = 2
    KEEP = 3
