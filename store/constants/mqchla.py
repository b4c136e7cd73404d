import enum


class MQCHLA(enum.IntEnum):
    """Whether channel authentication records are applied."""

    DISABLED = 0
    ENABLED = 1
