import enum


class MQFS(enum.IntEnum):
    """The size of a shared message data set."""

    SHARED = -1
