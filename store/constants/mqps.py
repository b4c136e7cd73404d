import enum


class MQPS(enum.IntEnum):
    """States of publish/subscribe, and its command messages."""

    STATUS_INACTIVE = 0
    STATUS_STARTING = 1
    STATUS_STOPPING = 2
    STATUS_ACTIVE = 3
    STATUS_COMPAT = 4
    STATUS_ERROR = 5
    STATUS_REFUSED = 6
