import enum


class MQSTAT(enum.IntEnum):
    """What MQSTAT asks for."""

    TYPE_ASYNC_ERROR = 0
    TYPE_RECONNECTION = 1
    TYPE_RECONNECTION_ERROR = 2
