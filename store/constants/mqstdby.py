import enum


class MQSTDBY(enum.IntEnum):
    """Whether a queue manager may stand by."""

    NOT_PERMITTED = 0
    PERMITTED = 1
