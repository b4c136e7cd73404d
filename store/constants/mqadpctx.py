import enum


class MQADPCTX(enum.IntEnum):
    """Whether a connection gets the user whose password was checked (ADOPTCTX)."""

    NO = 0
    YES = 1
