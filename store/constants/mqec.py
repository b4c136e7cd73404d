import enum


class MQEC(enum.IntEnum):
    """Why a signal is sent to a program that waits."""

    MSG_ARRIVED = 2
    WAIT_INTERVAL_EXPIRED = 3
    WAIT_CANCELED = 4
    Q_MGR_QUIESCING = 5
    CONNECTION_QUIESCING = 6
