import enum


class MQCFBS(enum.IntEnum):
    """Length of the PCF structure of a byte string."""

    STRUC_LENGTH_FIXED = 16
