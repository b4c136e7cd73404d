import enum


class MQDELO(enum.IntEnum):
    """Options of deleting retained publications by command message."""

    NONE = 0
    LOCAL = 4
