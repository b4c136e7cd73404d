import enum


class MQXDR(enum.IntEnum):
    """Answers of a data conversion exit."""

    OK = 0
    CONVERSION_FAILED = 1
