import enum


class MQACTP(enum.IntEnum):
    """How a put makes a message from another one, and actions of activity reports."""

    NEW = 0
    FORWARD = 1
    REPLY = 2
    REPORT = 3
