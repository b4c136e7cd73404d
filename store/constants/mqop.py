import enum


class MQOP(enum.IntEnum):
    """Operations of MQCB and MQCTL."""

    START = 1
    START_WAIT = 2
    STOP = 4
    REGISTER = 256
    DEREGISTER = 512
    SUSPEND = 65536
    RESUME = 131072
