import enum


class MQCFH(enum.IntEnum):
    """Versions and length of the PCF header."""

    VERSION_2 = 2
    VERSION_3 = 3
    VERSION_1 = 1
