import enum


class MQPBC(enum.IntEnum):
    """Versions and lengths of the context of the publish exit."""

    VERSION_2 = 2
    LENGTH_1 = 32
    LENGTH_2 = 40
    VERSION_1 = 1
