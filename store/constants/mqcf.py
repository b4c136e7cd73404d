import enum


class MQCF(enum.IntEnum):
    """Flags by which a channel exit learns what the partner can do."""

    NONE = 0
    DIST_LISTS = 1
