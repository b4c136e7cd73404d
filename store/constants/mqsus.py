import enum


class MQSUS(enum.IntEnum):
    """Whether something is suspended."""

    NO = 0
    YES = 1
