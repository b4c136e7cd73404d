import enum


class MQQMT(enum.IntEnum):
    """Whether a queue manager of a cluster holds a repository."""

    NORMAL = 0
    REPOSITORY = 1
