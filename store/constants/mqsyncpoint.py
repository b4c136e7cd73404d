import enum


class MQSYNCPOINT(enum.IntEnum):
    """Whether puts of an application are in units of work."""

    YES = 0
    IFPER = 1
