import enum


class MQCFIL(enum.IntEnum):
    """Length of the PCF structure of a list of integers."""

    STRUC_LENGTH_FIXED = 16
