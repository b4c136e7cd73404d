import enum


class MQVU(enum.IntEnum):
    """Whether another user may change a subscription."""

    FIXED_USER = 1
    ANY_USER = 2
