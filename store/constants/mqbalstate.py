import enum


class MQBALSTATE(enum.IntEnum):
    """How the instances of an application on a queue manager compare with its share."""

    NOT_APPLICABLE = 0
    LOW = 1
    OK = 2
    HIGH = 3
    UNKNOWN = 4
