import enum


class MQCFC(enum.IntEnum):
    """Whether a PCF message is the last of its reply."""

    NOT_LAST = 0
    LAST = 1
