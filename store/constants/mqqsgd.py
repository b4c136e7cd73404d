import enum


class MQQSGD(enum.IntEnum):
    """Dispositions of an object in a queue-sharing group."""

    ALL = -1
    Q_MGR = 0
    COPY = 1
    SHARED = 2
    GROUP = 3
    PRIVATE = 4
    LIVE = 6
