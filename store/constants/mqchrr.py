import enum


class MQCHRR(enum.IntEnum):
    """Whether a reset of a channel was requested."""

    RESET_NOT_REQUESTED = 0
