import enum


class MQCAP(enum.IntEnum):
    """Whether message protection is there."""

    NOT_SUPPORTED = 0
    SUPPORTED = 1
    EXPIRED = 2
