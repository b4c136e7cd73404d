import enum


class MQMHBO(enum.IntEnum):
    """Options of MQMHBUF."""

    NONE = 0
    PROPERTIES_IN_MQRFH2 = 1
    DELETE_PROPERTIES = 2
