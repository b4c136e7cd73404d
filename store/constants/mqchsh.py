import enum


class MQCHSH(enum.IntEnum):
    """Whether STOP CHINIT restarts shared channels on another member."""

    RESTART_NO = 0
    RESTART_YES = 1
