import enum


class MQCFTYPE(enum.IntEnum):
    """Whether a coupling facility structure is of applications or of administration."""

    APPL = 0
    ADMIN = 1
