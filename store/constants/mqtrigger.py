import enum


class MQTRIGGER(enum.IntEnum):
    """Whether the trigger of a queue restarts."""

    RESTART_NO = 0
    RESTART_YES = 1
