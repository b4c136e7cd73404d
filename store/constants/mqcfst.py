import enum


class MQCFST(enum.IntEnum):
    """Length of the PCF structure of a string."""

    STRUC_LENGTH_FIXED = 20
