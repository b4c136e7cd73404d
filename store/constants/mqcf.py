import enum


class MQCF(enum.IntEnum):
    """Capabilities that a channel exit is told of."""

    NONE = 0
    DIST_LISTS = 1
