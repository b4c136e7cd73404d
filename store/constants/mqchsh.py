import enum


class MQCHSH(enum.IntEnum):
    """Whether the history of a channel restarts."""

    RESTART_NO = 0
    RESTART_YES = 1
