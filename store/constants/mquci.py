import enum


class MQUCI(enum.IntEnum):
    """A yes or no of PCF."""

    NO = 0
    YES = 1
