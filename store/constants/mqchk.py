import enum


class MQCHK(enum.IntEnum):
    """When the password of a connection is checked."""

    OPTIONAL = 0
    NONE = 1
    REQUIRED_ADMIN = 2
    REQUIRED = 3
    AS_Q_MGR = 4
