import enum


class MQPSPROP(enum.IntEnum):
    """How properties are carried to a subscriber."""

    NONE = 0
    COMPAT = 1
    RFH2 = 2
    MSGPROP = 3
