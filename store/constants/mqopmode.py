import enum


class MQOPMODE(enum.IntEnum):
    """Which functions of a version on z/OS are used."""

    COMPAT = 0
    NEW_FUNCTION = 1
