import enum


class MQHC(enum.IntEnum):
    """Connection handles."""

    UNASSOCIATED_HCONN = -3
    UNUSABLE_HCONN = -1
    DEF_HCONN = 0
