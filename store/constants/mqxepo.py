import enum


class MQXEPO(enum.IntEnum):
    """Version and length of the options of registering an entry point."""

    NONE = 0
    LENGTH_1 = 40
    VERSION_1 = 1
