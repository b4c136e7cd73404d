import enum


class MQWS(enum.IntEnum):
    """Schemes of wildcards in topic strings."""

    DEFAULT = 0
    CHAR = 1
    TOPIC = 2
