import enum


class MQCAP(enum.IntEnum):
    """Whether a capability is there, such as that of security policies (SPLCAP)."""

    NOT_SUPPORTED = 0
    SUPPORTED = 1
    EXPIRED = 2
