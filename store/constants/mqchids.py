import enum


class MQCHIDS(enum.IntEnum):
    """Whether a channel is in doubt."""

    NOT_INDOUBT = 0
    INDOUBT = 1
