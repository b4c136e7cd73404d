import enum


class MQACTIVE(enum.IntEnum):
    """Whether something is active."""

    NO = 0
    YES = 1
