import enum


class MQPUBO(enum.IntEnum):
    """Options of a publication by command message."""

    NONE = 0
    CORREL_ID_AS_IDENTITY = 1
    RETAIN_PUBLICATION = 2
    OTHER_SUBSCRIBERS_ONLY = 4
    NO_REGISTRATION = 8
    IS_RETAINED_PUBLICATION = 16
