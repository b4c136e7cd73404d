import enum


class MQIT(enum.IntEnum):
    """Index types of queues on z/OS (INDXTYPE), and types of items in a data bag."""

    NONE = 0
    INTEGER = 1
    MSG_ID = 1
    CORREL_ID = 2
    STRING = 2
    BAG = 3
    MSG_TOKEN = 4
    GROUP_ID = 5
