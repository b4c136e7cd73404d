import enum


class MQAUTHENTICATE(enum.IntEnum):
    """Who checks a password: the operating system or PAM."""

    OS = 0
    PAM = 1
