import enum


class MQMDS(enum.IntEnum):
    """The order in which a queue delivers messages."""

    PRIORITY = 0
    FIFO = 1
