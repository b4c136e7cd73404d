import enum


class MQCLCT(enum.IntEnum):
    """How client connections on z/OS are cached."""

    STATIC = 0
    DYNAMIC = 1
