import enum


class MQCHSR(enum.IntEnum):
    """Whether a channel was asked to stop."""

    STOP_NOT_REQUESTED = 0
    STOP_REQUESTED = 1
