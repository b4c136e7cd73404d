import enum


class MQEI(enum.IntEnum):
    """Expiry."""

    UNLIMITED = -1
