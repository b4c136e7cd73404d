import enum


class MQDMPO(enum.IntEnum):
    """Which property MQDLTMP deletes."""

    DEL_FIRST = 0
    DEL_PROP_UNDER_CURSOR = 1
