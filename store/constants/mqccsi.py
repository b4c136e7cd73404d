import enum


class MQCCSI(enum.IntEnum):
    """Coded character sets."""

    AS_PUBLISHED = -4
    APPL = -3
    INHERIT = -2
    EMBEDDED = -1
    DEFAULT = 0
    Q_MGR = 0
    UNDEFINED = 0
