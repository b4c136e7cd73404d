import enum


class MQQS(enum.IntEnum):
    """Whether messages and keys are protected against quantum computers."""

    UNKNOWN = -1
    UNPROTECTED = 0
    HYBMLKEM = 1
    MLKEM = 2
