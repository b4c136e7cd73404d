import enum


class MQCLST(enum.IntEnum):
    """Cluster states of a topic (CLSTATE)."""

    ACTIVE = 0
    PENDING = 1
    INVALID = 2
    ERROR = 3
