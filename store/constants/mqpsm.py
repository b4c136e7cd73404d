import enum


class MQPSM(enum.IntEnum):
    """What a queue manager does of publish/subscribe."""

    DISABLED = 0
    COMPAT = 1
    ENABLED = 2
