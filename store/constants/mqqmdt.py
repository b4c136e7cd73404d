import enum


class MQQMDT(enum.IntEnum):
    """How a queue manager of a cluster was defined."""

    EXPLICIT_CLUSTER_SENDER = 1
    AUTO_CLUSTER_SENDER = 2
    CLUSTER_RECEIVER = 3
    AUTO_EXP_CLUSTER_SENDER = 4
