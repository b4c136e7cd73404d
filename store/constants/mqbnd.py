import enum


class MQBND(enum.IntEnum):
    """When an opened queue is bound to one of its instances in a cluster."""

    BIND_ON_OPEN = 0
    BIND_NOT_FIXED = 1
    BIND_ON_GROUP = 2
