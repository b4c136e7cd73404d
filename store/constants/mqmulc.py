import enum


class MQMULC(enum.IntEnum):
    """How messages on a multicast topic are told apart."""

    STANDARD = 0
    REFINED = 1
