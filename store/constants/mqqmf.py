import enum


class MQQMF(enum.IntEnum):
    """Flags of a queue manager for a cluster workload exit."""

    REPOSITORY_Q_MGR = 2
    CLUSSDR_USER_DEFINED = 8
    CLUSSDR_AUTO_DEFINED = 16
    AVAILABLE = 32
