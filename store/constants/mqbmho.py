import enum


class MQBMHO(enum.IntEnum):
    """Options of MQBUFMH."""

    NONE = 0
    DELETE_PROPERTIES = 1
