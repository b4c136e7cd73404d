import enum


class MQAPPL(enum.IntEnum):
    """Whether an application may be moved to another queue manager of a uniform cluster."""

    IMMOVABLE = 0
    MOVABLE = 1
