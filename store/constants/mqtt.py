import enum


class MQTT(enum.IntEnum):
    """Types of trigger."""

    NONE = 0
    FIRST = 1
    EVERY = 2
    DEPTH = 3
