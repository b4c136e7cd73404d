import enum


class MQCLCT(enum.IntEnum):
    """Whether the cluster cache on z/OS can grow (CLCACHE)."""

    STATIC = 0
    DYNAMIC = 1
