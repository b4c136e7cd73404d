import enum


class MQHO(enum.IntEnum):
    """Object handles."""

    UNUSABLE_HOBJ = -1
    NONE = 0
