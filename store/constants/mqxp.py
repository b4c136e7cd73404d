import enum


class MQXP(enum.IntEnum):
    """Version and length of the parameters of an API-crossing exit."""

    LENGTH_1 = 44
    VERSION_1 = 1
