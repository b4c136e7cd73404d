import enum


class MQPER(enum.IntEnum):
    """Persistence."""

    PERSISTENCE_AS_PARENT = -1
    NOT_PERSISTENT = 0
    PERSISTENT = 1
    PERSISTENCE_AS_Q_DEF = 2
    PERSISTENCE_AS_TOPIC_DEF = 2
