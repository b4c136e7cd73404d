import enum


class MQSTDBY(enum.IntEnum):
    """Whether a queue manager allows a standby instance."""

    NOT_PERMITTED = 0
    PERMITTED = 1
