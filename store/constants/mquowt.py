import enum


class MQUOWT(enum.IntEnum):
    """Types of unit of work."""

    Q_MGR = 0
    CICS = 1
    RRS = 2
    IMS = 3
    XA = 4
