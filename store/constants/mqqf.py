import enum


class MQQF(enum.IntEnum):
    """Flags of a queue for a cluster workload exit."""

    LOCAL_Q = 1
    CLWL_USEQ_ANY = 64
    CLWL_USEQ_LOCAL = 128
