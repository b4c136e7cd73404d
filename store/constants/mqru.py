import enum


class MQRU(enum.IntEnum):
    """When a subscriber asks for publications."""

    PUBLISH_ON_REQUEST = 1
    PUBLISH_ALL = 2
