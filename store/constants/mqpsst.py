import enum


class MQPSST(enum.IntEnum):
    """What the status of publish/subscribe is asked of."""

    ALL = 0
    LOCAL = 1
    PARENT = 2
    CHILD = 3
