import enum


class MQCFACCESS(enum.IntEnum):
    """Access to a coupling facility structure."""

    ENABLED = 0
    SUSPENDED = 1
    DISABLED = 2
