import enum


class MQTIME(enum.IntEnum):
    """Units of time."""

    UNIT_MINS = 0
    UNIT_SECS = 1
