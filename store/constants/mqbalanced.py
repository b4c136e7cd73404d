import enum


class MQBALANCED(enum.IntEnum):
    """Whether the instances of an application are balanced over a uniform cluster."""

    NO = 0
    YES = 1
    NOT_APPLICABLE = 2
    UNKNOWN = 3
