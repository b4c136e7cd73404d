import enum


class MQAUSC(enum.IntEnum):
    """Which checks of users are told by authority events (AUTHEVSC)."""

    FAILURES = 0
    ALLCONNS = 1
    ALLCHECKS = 2
