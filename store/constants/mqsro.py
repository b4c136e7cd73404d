import enum


class MQSRO(enum.IntFlag, boundary=enum.KEEP):
    """Options of a request for publications."""

    NONE = 0x0000_0000
    FAIL_IF_QUIESCING = 0x0000_2000
    VERSION_1 = enum.nonmember(1)
    CURRENT_VERSION = enum.nonmember(1)
    LENGTH_1 = enum.nonmember(16)
    CURRENT_LENGTH = enum.nonmember(16)
    STRUC_ID = enum.nonmember("SRO ")
