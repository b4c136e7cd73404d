import enum


class MQTA(enum.IntEnum):
    """Values of attributes of topics."""

    BLOCK = 1
    PASSTHRU = 2
    SUB_AS_PARENT = 0
    SUB_INHIBITED = 1
    SUB_ALLOWED = 2
    PUB_AS_PARENT = 0
    PUB_INHIBITED = 1
    PUB_ALLOWED = 2
