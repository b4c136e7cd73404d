import enum


class MQSR(enum.IntEnum):
    """Actions of a request for publications."""

    ACTION_PUBLICATION = 1
