import enum


class MQHSTATE(enum.IntEnum):
    """Whether a handle is in a call."""

    INACTIVE = 0
    ACTIVE = 1
