import enum


class MQEVR(enum.IntEnum):
    """Event recording."""

    DISABLED = 0
    ENABLED = 1
    EXCEPTION = 2
    NO_DISPLAY = 3
    API_ONLY = 4
    ADMIN_ONLY = 5
    USER_ONLY = 6
