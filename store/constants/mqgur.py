import enum


class MQGUR(enum.IntEnum):
    """Whether units of work of the group may be recovered by any member."""

    DISABLED = 0
    ENABLED = 1
