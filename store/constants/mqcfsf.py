import enum


class MQCFSF(enum.IntEnum):
    """Length of the PCF structure of a string filter."""

    STRUC_LENGTH_FIXED = 24
