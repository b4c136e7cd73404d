import enum


class MQSUB(enum.IntEnum):
    """Whether durable subscriptions to a topic are allowed."""

    DURABLE_AS_PARENT = 0
    DURABLE_ALLOWED = 1
    DURABLE_INHIBITED = 2
