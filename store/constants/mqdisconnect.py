import enum


class MQDISCONNECT(enum.IntEnum):
    """How a program ended its connection."""

    NORMAL = 0
    IMPLICIT = 1
    Q_MGR = 2
