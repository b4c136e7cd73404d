import enum


class MQQF(enum.IntEnum):
    """What a workload exit is told of a queue."""

    LOCAL_Q = 1
    CLWL_USEQ_ANY = 64
    CLWL_USEQ_LOCAL = 128
