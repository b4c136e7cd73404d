import enum


class MQPMRF(enum.IntEnum):
    """Fields that a put message record has."""

    NONE = 0
    MSG_ID = 1
    CORREL_ID = 2
    GROUP_ID = 4
    FEEDBACK = 8
    ACCOUNTING_TOKEN = 16
