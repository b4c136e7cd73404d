import enum


class MQDOPT(enum.IntEnum):
    """Whether a subscription is shown as it was defined or with what applies to it (DISTYPE)."""

    RESOLVED = 0
    DEFINED = 1
