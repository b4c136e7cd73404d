import enum


class MQIS(enum.IntEnum):
    """A yes or no of PCF."""

    NO = 0
    YES = 1
