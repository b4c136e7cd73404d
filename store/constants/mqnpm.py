import enum


class MQNPM(enum.IntEnum):
    """The class of nonpersistent messages on a queue."""

    CLASS_NORMAL = 0
    CLASS_HIGH = 10
