import enum


class MQMO(enum.IntFlag, boundary=enum.KEEP):
    """Match options of a get."""

    NONE = 0x0000_0000
    MATCH_MSG_ID = 0x0000_0001
    MATCH_CORREL_ID = 0x0000_0002
    MATCH_GROUP_ID = 0x0000_0004
    MATCH_MSG_SEQ_NUMBER = 0x0000_0008
    MATCH_OFFSET = 0x0000_0010
    MATCH_MSG_TOKEN = 0x0000_0020
