import enum


class MQIS(enum.IntEnum):
    """Whether a command succeeds if the object is in the state already (IGNSTATE)."""

    NO = 0
    YES = 1
