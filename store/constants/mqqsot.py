import enum


class MQQSOT(enum.IntEnum):
    """Which kinds of open a queue's status is asked of."""

    ALL = 1
    INPUT = 2
    OUTPUT = 3
