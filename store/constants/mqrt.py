import enum


class MQRT(enum.IntEnum):
    """What a refresh renews."""

    CONFIGURATION = 1
    EXPIRY = 2
    NSPROC = 3
    PROXYSUB = 4
    SUB_CONFIGURATION = 5
