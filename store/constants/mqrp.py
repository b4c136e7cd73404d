import enum


class MQRP(enum.IntEnum):
    """Whether a definition replaces one."""

    NO = 0
    YES = 1
