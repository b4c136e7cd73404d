import enum


class MQMCAT(enum.IntEnum):
    """Whether a message channel agent is a process or a thread."""

    PROCESS = 1
    THREAD = 2
