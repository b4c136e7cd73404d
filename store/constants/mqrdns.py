import enum


class MQRDNS(enum.IntEnum):
    """Whether names of hosts are looked up for an address."""

    ENABLED = 0
    DISABLED = 1
