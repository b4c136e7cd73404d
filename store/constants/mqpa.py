import enum


class MQPA(enum.IntEnum):
    """Whose authority a channel puts with."""

    DEFAULT = 1
    CONTEXT = 2
    ONLY_MCA = 3
    ALTERNATE_OR_MCA = 4
