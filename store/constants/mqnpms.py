import enum


class MQNPMS(enum.IntEnum):
    """The speed of nonpersistent messages on a channel."""

    NORMAL = 1
    FAST = 2
