import enum


class MQCLRT(enum.IntEnum):
    """What CLEAR TOPICSTR clears."""

    RETAINED = 1
