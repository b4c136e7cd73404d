import enum


class MQXACT(enum.IntEnum):
    """Whether an API exit is called from a program or from the queue manager."""

    EXTERNAL = 1
    INTERNAL = 2
