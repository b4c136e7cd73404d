import enum


class MQCFSL(enum.IntEnum):
    """Length of the PCF structure of a list of strings."""

    STRUC_LENGTH_FIXED = 24
