import enum


class MQPSCT(enum.IntEnum):
    """The number of subscriptions or connections that is unknown."""

    NONE = -1
