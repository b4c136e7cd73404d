import enum


class MQSYSOBJ(enum.IntEnum):
    """Whether objects of the system are meant."""

    YES = 0
    NO = 1
