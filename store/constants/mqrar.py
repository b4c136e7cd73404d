import enum


class MQRAR(enum.IntEnum):
    """Whether the rules of authority are refreshed."""

    NO = 0
    YES = 1
