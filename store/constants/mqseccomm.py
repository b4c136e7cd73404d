import enum


class MQSECCOMM(enum.IntEnum):
    """Whether the connection to a directory is secured."""

    NO = 0
    YES = 1
    ANON = 2
