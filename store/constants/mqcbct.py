import enum


class MQCBCT(enum.IntEnum):
    """Why a function of MQCB is called."""

    START_CALL = 1
    STOP_CALL = 2
    REGISTER_CALL = 3
    DEREGISTER_CALL = 4
    EVENT_CALL = 5
    MSG_REMOVED = 6
    MSG_NOT_REMOVED = 7
    MC_EVENT_CALL = 8
