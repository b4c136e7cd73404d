import enum


class MQCHTAB(enum.IntEnum):
    """The table that a channel definition is in."""

    Q_MGR = 1
    CLNTCONN = 2
