import enum


class MQNPM(enum.IntEnum):
    """Whether a queue keeps nonpersistent messages when the queue manager ends (NPMCLASS)."""

    CLASS_NORMAL = 0
    CLASS_HIGH = 10
