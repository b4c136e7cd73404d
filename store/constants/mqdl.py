import enum


class MQDL(enum.IntEnum):
    """Whether distribution lists are supported."""

    NOT_SUPPORTED = 0
    SUPPORTED = 1
