import enum


class MQUIDSUPP(enum.IntEnum):
    """Whether identifiers of users are supported."""

    NO = 0
    YES = 1
