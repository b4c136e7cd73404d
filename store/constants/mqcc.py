import enum


class MQCC(enum.IntEnum):
    """Completion codes."""

    UNKNOWN = -1
    OK = 0
    WARNING = 1
    FAILED = 2
