import enum


class MQFC(enum.IntEnum):
    """Whether something is forced."""

    NO = 0
    YES = 1
