import enum


class MQUSAGE(enum.IntEnum):
    """Kinds and states of storage on z/OS."""

    PS_AVAILABLE = 0
    SMDS_AVAILABLE = 0
    EXPAND_USER = 1
    PS_DEFINED = 1
    SMDS_NO_DATA = 1
    EXPAND_SYSTEM = 2
    PS_OFFLINE = 2
    EXPAND_NONE = 3
    PS_NOT_DEFINED = 3
    PS_SUSPENDED = 4
    DS_OLDEST_ACTIVE_UOW = 10
    DS_OLDEST_PS_RECOVERY = 11
    DS_OLDEST_CF_RECOVERY = 12
