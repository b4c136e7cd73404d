import enum


class MQQMSTA(enum.IntEnum):
    """States of a queue manager."""

    STARTING = 1
    RUNNING = 2
    QUIESCING = 3
    STANDBY = 4
