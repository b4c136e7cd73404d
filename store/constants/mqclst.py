import enum


class MQCLST(enum.IntEnum):
    """States of a topic's cluster."""

    ACTIVE = 0
    PENDING = 1
    INVALID = 2
    ERROR = 3
