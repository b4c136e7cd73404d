import enum


class MQSCOPE(enum.IntEnum):
    """The scope of publications and subscriptions."""

    ALL = 0
    AS_PARENT = 1
    QMGR = 4
