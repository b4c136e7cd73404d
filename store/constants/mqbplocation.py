import enum


class MQBPLOCATION(enum.IntEnum):
    """Where a buffer pool lies on z/OS."""

    BELOW = 0
    ABOVE = 1
    SWITCHING_ABOVE = 2
    SWITCHING_BELOW = 3
