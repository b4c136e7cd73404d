import enum


class MQSECITEM(enum.IntEnum):
    """Classes of security on z/OS."""

    ALL = 0
    MQADMIN = 1
    MQNLIST = 2
    MQPROC = 3
    MQQUEUE = 4
    MQCONN = 5
    MQCMDS = 6
    MXADMIN = 7
    MXNLIST = 8
    MXPROC = 9
    MXQUEUE = 10
    MXTOPIC = 11
