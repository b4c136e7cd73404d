import enum


class MQQSR(enum.IntEnum):
    """Whether protection against quantum computers is required."""

    OPTIONAL = 0
    REQUIRED = 1
