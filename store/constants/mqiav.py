import enum


class MQIAV(enum.IntEnum):
    """Values of an integer attribute that has none."""

    UNDEFINED = -2
    NOT_APPLICABLE = -1
