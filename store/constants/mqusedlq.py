import enum


class MQUSEDLQ(enum.IntEnum):
    """Whether messages that cannot be delivered go to the dead-letter queue."""

    AS_PARENT = 0
    NO = 1
    YES = 2
