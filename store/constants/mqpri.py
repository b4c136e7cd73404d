import enum


class MQPRI(enum.IntEnum):
    """Priorities."""

    PRIORITY_AS_PUBLISHED = -3
    PRIORITY_AS_PARENT = -2
    PRIORITY_AS_Q_DEF = -1
    PRIORITY_AS_TOPIC_DEF = -1
