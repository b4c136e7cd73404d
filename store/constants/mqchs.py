import enum


class MQCHS(enum.IntEnum):
    """Channel states."""

    INACTIVE = 0
    BINDING = 1
    STARTING = 2
    RUNNING = 3
    STOPPING = 4
    RETRYING = 5
    STOPPED = 6
    REQUESTING = 7
    PAUSED = 8
    DISCONNECTED = 9
    INITIALIZING = 13
    SWITCHING = 14
