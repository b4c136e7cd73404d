import enum


class MQAS(enum.IntEnum):
    """States of asynchronous consumption (ASTATE)."""

    NONE = 0
    STARTED = 1
    START_WAIT = 2
    STOPPED = 3
    SUSPENDED = 4
    SUSPENDED_TEMPORARY = 5
    ACTIVE = 6
    INACTIVE = 7
