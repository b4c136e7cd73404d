import enum


class MQMLP(enum.IntEnum):
    """What a policy of message protection tolerates, and its algorithms."""

    TOLERATE_UNPROTECTED_NO = 0
    ENCRYPTION_ALG_NONE = 0
    SIGN_ALG_NONE = 0
    TOLERATE_UNPROTECTED_YES = 1
    ENCRYPTION_ALG_RC2 = 1
    SIGN_ALG_MD5 = 1
    ENCRYPTION_ALG_DES = 2
    SIGN_ALG_SHA1 = 2
    ENCRYPTION_ALG_3DES = 3
    SIGN_ALG_SHA224 = 3
    ENCRYPTION_ALG_AES128 = 4
    SIGN_ALG_SHA256 = 4
    ENCRYPTION_ALG_AES256 = 5
    SIGN_ALG_SHA384 = 5
    SIGN_ALG_SHA512 = 6
