import enum


class MQCBDO(enum.IntEnum):
    """Options of MQCB: which control calls a function gets."""

    NONE = 0
    START_CALL = 1
    STOP_CALL = 4
    REGISTER_CALL = 256
    DEREGISTER_CALL = 512
    FAIL_IF_QUIESCING = 8192
    EVENT_CALL = 16384
    MC_EVENT_CALL = 32768
