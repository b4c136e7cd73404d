import enum


class MQSPL(enum.IntEnum):
    """What a channel does with messages that are protected."""

    PASSTHRU = 0
    REMOVE = 1
    AS_POLICY = 2
