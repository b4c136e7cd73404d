import enum


class MQCFSTATUS(enum.IntEnum):
    """States of a coupling facility structure."""

    NOT_FOUND = 0
    ACTIVE = 1
    IN_RECOVER = 2
    IN_BACKUP = 3
    FAILED = 4
    NONE = 5
    UNKNOWN = 6
    RECOVERED = 7
    EMPTY = 8
    NEW = 9
    ADMIN_INCOMPLETE = 20
    NEVER_USED = 21
    NO_BACKUP = 22
    NOT_FAILED = 23
    NOT_RECOVERABLE = 24
    XES_ERROR = 25
