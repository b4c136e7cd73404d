import enum


class MQPO(enum.IntEnum):
    """Whether messages are deleted with their queue (PURGE)."""

    NO = 0
    YES = 1
