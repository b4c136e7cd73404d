import enum


class MQDC(enum.IntEnum):
    """Whether the destination of a subscription is managed."""

    MANAGED = 1
    PROVIDED = 2
