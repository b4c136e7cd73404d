import enum


class MQQMF(enum.IntEnum):
    """What a workload exit is told of a queue manager."""

    REPOSITORY_Q_MGR = 2
    CLUSSDR_USER_DEFINED = 8
    CLUSSDR_AUTO_DEFINED = 16
    AVAILABLE = 32
