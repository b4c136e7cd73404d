import enum


class MQLDAPC(enum.IntEnum):
    """States of the connection to an LDAP directory."""

    INACTIVE = 0
    CONNECTED = 1
    ERROR = 2
