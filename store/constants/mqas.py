import enum


class MQAS(enum.IntEnum):
    """States of adopting a client's earlier channel, and of services on z/OS."""

    NONE = 0
    STARTED = 1
    START_WAIT = 2
    STOPPED = 3
    SUSPENDED = 4
    SUSPENDED_TEMPORARY = 5
    ACTIVE = 6
    INACTIVE = 7
