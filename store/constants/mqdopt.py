import enum


class MQDOPT(enum.IntEnum):
    """Whether attributes of a definition or of what it resolves to are shown."""

    RESOLVED = 0
    DEFINED = 1
