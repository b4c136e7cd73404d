import enum


class MQAUSC(enum.IntEnum):
    """Which connections of a client a security policy reports."""

    FAILURES = 0
    ALLCONNS = 1
    ALLCHECKS = 2
