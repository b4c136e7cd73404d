"""Message properties and callbacks: types, options, and what a callback is called for."""

from __future__ import annotations

import enum


class MQTYPE(enum.IntEnum):
    """Types of message properties."""

    AS_SET = 0
    NULL = 2
    BOOLEAN = 4
    BYTE_STRING = 8
    INT8 = 16
    INT16 = 32
    INT32 = 64
    LONG = 64
    INT64 = 128
    FLOAT32 = 256
    FLOAT64 = 512
    STRING = 1024


class MQPD(enum.IntEnum):
    """Support and context of a message property."""

    NONE = 0
    NO_CONTEXT = 0
    SUPPORT_OPTIONAL = 1
    USER_CONTEXT = 1
    SUPPORT_REQUIRED_IF_LOCAL = 1024
    SUPPORT_REQUIRED = 1048576


class MQCOPY(enum.IntEnum):
    """The kinds of messages that a property is copied into; the values can be added."""

    NONE = 0
    ALL = 1
    FORWARD = 2
    PUBLISH = 4
    REPLY = 8
    REPORT = 16
    DEFAULT = 22


class MQCMHO(enum.IntEnum):
    DEFAULT_VALIDATION = 0
    NO_VALIDATION = 1
    VALIDATE = 2


class MQSMPO(enum.IntEnum):
    """Where MQSETMP sets a property."""

    SET_FIRST = 0
    SET_PROP_UNDER_CURSOR = 1
    SET_PROP_AFTER_CURSOR = 2
    APPEND_PROPERTY = 4
    SET_PROP_BEFORE_CURSOR = 8


class MQIMPO(enum.IntEnum):
    """What MQINQMP looks for and converts; the values can be added."""

    INQ_FIRST = 0
    CONVERT_TYPE = 2
    QUERY_LENGTH = 4
    INQ_NEXT = 8
    INQ_PROP_UNDER_CURSOR = 16
    CONVERT_VALUE = 32


class MQDMPO(enum.IntEnum):
    """Which property MQDLTMP deletes."""

    DEL_FIRST = 0
    DEL_PROP_UNDER_CURSOR = 1


class MQBMHO(enum.IntEnum):
    NONE = 0
    DELETE_PROPERTIES = 1


class MQMHBO(enum.IntEnum):
    NONE = 0
    PROPERTIES_IN_MQRFH2 = 1
    DELETE_PROPERTIES = 2


class MQCBT(enum.IntEnum):
    MESSAGE_CONSUMER = 1
    EVENT_HANDLER = 2


class MQCBDO(enum.IntEnum):
    NONE = 0
    START_CALL = 1
    STOP_CALL = 4
    REGISTER_CALL = 256
    DEREGISTER_CALL = 512
    FAIL_IF_QUIESCING = 8192
    EVENT_CALL = 16384
    MC_EVENT_CALL = 32768


class MQCBCT(enum.IntEnum):
    START_CALL = 1
    STOP_CALL = 2
    REGISTER_CALL = 3
    DEREGISTER_CALL = 4
    EVENT_CALL = 5
    MSG_REMOVED = 6
    MSG_NOT_REMOVED = 7
    MC_EVENT_CALL = 8


class MQCS(enum.IntEnum):
    NONE = 0
    SUSPENDED_TEMPORARY = 1
    SUSPENDED_USER_ACTION = 2
    SUSPENDED = 3
    STOPPED = 4


class MQCTLO(enum.IntEnum):
    NONE = 0
    THREAD_AFFINITY = 1
    FAIL_IF_QUIESCING = 8192


class MQOP(enum.IntEnum):
    START = 1
    START_WAIT = 2
    STOP = 4
    REGISTER = 256
    DEREGISTER = 512
    SUSPEND = 65536
    RESUME = 131072
