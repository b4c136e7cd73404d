import enum


class MQQSGS(enum.IntEnum):
    """States of a member of a queue-sharing group."""

    UNKNOWN = 0
    CREATED = 1
    ACTIVE = 2
    INACTIVE = 3
    FAILED = 4
    PENDING = 5
