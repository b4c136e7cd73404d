import enum


class MQIMMREASON(enum.IntEnum):
    """Why an instance of an application cannot be moved."""

    NONE = 0
    NOT_CLIENT = 1
    NOT_RECONNECTABLE = 2
    MOVING = 3
    APPLNAME_CHANGED = 4
    IN_TRANSACTION = 5
    AWAITS_REPLY = 6
    NO_REDIRECT = 7
