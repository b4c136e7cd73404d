import enum


class MQUOWST(enum.IntEnum):
    """States of a unit of work."""

    NONE = 0
    ACTIVE = 1
    PREPARED = 2
    UNRESOLVED = 3
