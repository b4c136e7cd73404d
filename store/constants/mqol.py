import enum


class MQOL(enum.IntEnum):
    """Original lengths."""

    UNDEFINED = -1
