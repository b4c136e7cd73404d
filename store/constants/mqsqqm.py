import enum


class MQSQQM(enum.IntEnum):
    """Whether a shared queue is opened in the group although another queue manager is named."""

    USE = 0
    IGNORE = 1
