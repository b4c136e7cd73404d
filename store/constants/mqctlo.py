import enum


class MQCTLO(enum.IntEnum):
    """Options of MQCTL."""

    NONE = 0
    THREAD_AFFINITY = 1
    FAIL_IF_QUIESCING = 8192
