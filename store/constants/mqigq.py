import enum


class MQIGQ(enum.IntEnum):
    """Whether messages go through the queue-sharing group without channels."""

    DISABLED = 0
    ENABLED = 1
