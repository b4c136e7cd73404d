import enum


class MQCLRS(enum.IntEnum):
    """Whether CLEAR TOPICSTR acts on one queue manager or all."""

    LOCAL = 1
    GLOBAL = 2
