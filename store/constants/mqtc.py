import enum


class MQTC(enum.IntEnum):
    """Whether a queue triggers."""

    OFF = 0
    ON = 1
