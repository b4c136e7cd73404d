import enum


class MQCS(enum.IntEnum):
    """States of a consumer of messages."""

    NONE = 0
    SUSPENDED_TEMPORARY = 1
    SUSPENDED_USER_ACTION = 2
    SUSPENDED = 3
    STOPPED = 4
