import enum


class MQRCN(enum.IntEnum):
    """Whether a client connects again."""

    NO = 0
    YES = 1
    Q_MGR = 2
    DISABLED = 3
