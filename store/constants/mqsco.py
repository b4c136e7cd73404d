import enum


class MQSCO(enum.IntEnum):
    """The scope in which a queue's name is known."""

    Q_MGR = 1
    CELL = 2
