import enum


class MQUCI(enum.IntEnum):
    """Whether an AMQP client has its client identifier as user (USECLTID)."""

    NO = 0
    YES = 1
