import enum


class MQRAR(enum.IntEnum):
    """Whether authority records are deleted with their object (AUTHREC)."""

    NO = 0
    YES = 1
