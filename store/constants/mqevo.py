import enum


class MQEVO(enum.IntEnum):
    """Origins of a command that an event tells of."""

    OTHER = 0
    CONSOLE = 1
    INIT = 2
    MSG = 3
    MQSET = 4
    INTERNAL = 5
    MQSUB = 6
    CTLMSG = 7
    REST = 8
