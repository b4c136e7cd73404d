import enum


class MQSCA(enum.IntEnum):
    """Whether a client must show a certificate."""

    REQUIRED = 0
    OPTIONAL = 1
    NEVER_REQUIRED = 2
