import enum


class MQLDAP(enum.IntEnum):
    """How an LDAP directory authorizes."""

    AUTHORMD_OS = 0
    NESTGRP_NO = 0
    AUTHORMD_SEARCHGRP = 1
    NESTGRP_YES = 1
    AUTHORMD_SEARCHUSR = 2
    AUTHORMD_SRCHGRPSN = 3
