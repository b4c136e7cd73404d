import enum


class MQCFIL64(enum.IntEnum):
    """Length of the PCF structure of a list of 64-bit integers."""

    STRUC_LENGTH_FIXED = 16
