import enum


class MQCO(enum.IntFlag, boundary=enum.KEEP):
    """Close options."""

    NONE = 0x0000_0000
    IMMEDIATE = 0x0000_0000
    DELETE = 0x0000_0001
    DELETE_PURGE = 0x0000_0002
    KEEP_SUB = 0x0000_0004
    REMOVE_SUB = 0x0000_0008
    QUIESCE = 0x0000_0020
