import enum


class MQCBT(enum.IntEnum):
    """What a function of MQCB is for: the messages of a queue, or events."""

    MESSAGE_CONSUMER = 1
    EVENT_HANDLER = 2
