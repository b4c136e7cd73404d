import enum


class MQQMFAC(enum.IntEnum):
    """Facilities of a queue manager on z/OS."""

    IMS_BRIDGE = 1
    DB2 = 2
