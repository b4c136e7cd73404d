import enum


class MQEPH(enum.IntEnum):
    """Flags, version and length of the embedded PCF header."""

    NONE = 0
    CCSID_EMBEDDED = 1
    STRUC_LENGTH_FIXED = 68
    LENGTH_1 = 68
    VERSION_1 = 1
