import enum


class MQAUTOCLUS(enum.IntEnum):
    """How a queue manager joins a cluster by itself."""

    TYPE_NONE = 0
    TYPE_UNIFORM = 1
