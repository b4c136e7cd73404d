import enum


class MQSECTYPE(enum.IntEnum):
    """What REFRESH SECURITY renews."""

    AUTHSERV = 1
    SSL = 2
    CLASSES = 3
    CONNAUTH = 4
