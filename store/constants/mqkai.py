import enum


class MQKAI(enum.IntEnum):
    """The keepalive interval of a channel (KAINT)."""

    AUTO = -1
