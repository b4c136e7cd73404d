import enum


class MQNSH(enum.IntEnum):
    """How much history a new subscriber of a multicast topic receives."""

    ALL = -1
    NONE = 0
