import enum


class MQMCAS(enum.IntEnum):
    """Whether a message channel agent runs."""

    STOPPED = 0
    RUNNING = 3
