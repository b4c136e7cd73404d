import enum


class MQQDT(enum.IntEnum):
    """How a queue was defined."""

    PREDEFINED = 1
    PERMANENT_DYNAMIC = 2
    TEMPORARY_DYNAMIC = 3
    SHARED_DYNAMIC = 4
