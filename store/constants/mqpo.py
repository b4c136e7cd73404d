import enum


class MQPO(enum.IntEnum):
    """Whether an option of a purge is taken."""

    NO = 0
    YES = 1
