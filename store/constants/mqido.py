import enum


class MQIDO(enum.IntEnum):
    """How a unit of work in doubt is resolved."""

    COMMIT = 1
    BACKOUT = 2
