import enum


class MQQSIE(enum.IntEnum):
    """Queue service interval events."""

    NONE = 0
    HIGH = 1
    OK = 2
