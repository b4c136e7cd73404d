import enum


class MQCMHO(enum.IntEnum):
    """Options of MQCRTMH."""

    DEFAULT_VALIDATION = 0
    NO_VALIDATION = 1
    VALIDATE = 2
