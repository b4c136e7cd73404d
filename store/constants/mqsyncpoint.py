import enum


class MQSYNCPOINT(enum.IntEnum):
    """Whether messages of publish/subscribe are processed in units of work (PSSYNCPT)."""

    YES = 0
    IFPER = 1
