import enum


class MQEXPI(enum.IntEnum):
    """The interval between two scans for expired messages."""

    OFF = 0
