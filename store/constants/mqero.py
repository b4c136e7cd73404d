import enum


class MQERO(enum.IntEnum):
    """Options of which there are none yet."""

    NONE = 0
