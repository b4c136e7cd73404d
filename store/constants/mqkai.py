import enum


class MQKAI(enum.IntEnum):
    """The interval between two signs of life of a channel."""

    AUTO = -1
