import enum


class MQCAFTY(enum.IntEnum):
    """Whether a client stays with the connection that it used."""

    NONE = 0
    PREFERRED = 1
