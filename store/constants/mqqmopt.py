import enum


class MQQMOPT(enum.IntEnum):
    """Settings of an option of a queue manager."""

    DISABLED = 0
    ENABLED = 1
    REPLY = 2
