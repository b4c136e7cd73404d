import enum


class MQSP(enum.IntEnum):
    """Whether syncpoint is there."""

    NOT_AVAILABLE = 0
    AVAILABLE = 1
