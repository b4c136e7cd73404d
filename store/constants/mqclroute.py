import enum


class MQCLROUTE(enum.IntEnum):
    """How a clustered topic routes publications."""

    DIRECT = 0
    TOPIC_HOST = 1
    NONE = 2
