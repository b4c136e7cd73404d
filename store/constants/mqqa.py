import enum


class MQQA(enum.IntEnum):
    """Values of attributes of queues."""

    BACKOUT_NOT_HARDENED = 0
    GET_ALLOWED = 0
    NOT_SHAREABLE = 0
    PUT_ALLOWED = 0
    BACKOUT_HARDENED = 1
    GET_INHIBITED = 1
    PUT_INHIBITED = 1
    SHAREABLE = 1
