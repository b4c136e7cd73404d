import enum


class MQSECPROT(enum.IntEnum):
    """Versions of TLS."""

    NONE = 0
    SSLV30 = 1
    TLSV10 = 2
    TLSV12 = 4
    TLSV13 = 8
