import enum


class MQADPCTX(enum.IntEnum):
    """Whether the context of an application is passed to the directory that authenticates."""

    NO = 0
    YES = 1
