import enum


class MQCLXQ(enum.IntEnum):
    """Which transmission queue a cluster-sender channel uses by default."""

    SCTQ = 0
    CHANNEL = 1
