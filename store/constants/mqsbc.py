import enum


class MQSBC(enum.IntEnum):
    """Version and length of the context of a subscription in the publish exit."""

    LENGTH_1 = 288
    VERSION_1 = 1
