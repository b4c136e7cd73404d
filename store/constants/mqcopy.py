import enum


class MQCOPY(enum.IntEnum):
    """The kinds of messages that a property is copied into; the values can be added."""

    NONE = 0
    ALL = 1
    FORWARD = 2
    PUBLISH = 4
    REPLY = 8
    REPORT = 16
    DEFAULT = 22
