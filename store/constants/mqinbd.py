import enum


class MQINBD(enum.IntEnum):
    """Whether inbound connections are for a queue manager or for its group."""

    Q_MGR = 0
    GROUP = 3
