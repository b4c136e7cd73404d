import enum


class MQPAGECLAS(enum.IntEnum):
    """Classes of page that a buffer pool uses."""

    _4KB = 0
    FIXED4KB = 1
