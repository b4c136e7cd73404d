import enum


class MQQMOPT(enum.IntEnum):
    """Whether an option of the queue manager is on, and answers."""

    DISABLED = 0
    ENABLED = 1
    REPLY = 2
