import enum


class MQCFBF(enum.IntEnum):
    """Length of the PCF structure of a byte filter."""

    STRUC_LENGTH_FIXED = 20
