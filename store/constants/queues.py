"""Values of queue attributes."""

from __future__ import annotations

import enum


class MQQT(enum.IntEnum):
    """Queue types."""

    LOCAL = 1
    MODEL = 2
    ALIAS = 3
    REMOTE = 6
    CLUSTER = 7
    ALL = 1001


class MQQA(enum.IntEnum):
    BACKOUT_NOT_HARDENED = 0
    GET_ALLOWED = 0
    NOT_SHAREABLE = 0
    PUT_ALLOWED = 0
    BACKOUT_HARDENED = 1
    GET_INHIBITED = 1
    PUT_INHIBITED = 1
    SHAREABLE = 1


class MQQDT(enum.IntEnum):
    PREDEFINED = 1
    PERMANENT_DYNAMIC = 2
    TEMPORARY_DYNAMIC = 3
    SHARED_DYNAMIC = 4


class MQUS(enum.IntEnum):
    NORMAL = 0
    TRANSMISSION = 1


class MQTC(enum.IntEnum):
    OFF = 0
    ON = 1


class MQTT(enum.IntEnum):
    NONE = 0
    FIRST = 1
    EVERY = 2
    DEPTH = 3


class MQMDS(enum.IntEnum):
    PRIORITY = 0
    FIFO = 1


class MQQSIE(enum.IntEnum):
    NONE = 0
    HIGH = 1
    OK = 2


class MQQSO(enum.IntEnum):
    NO = 0
    SHARED = 1
    YES = 1
    EXCLUSIVE = 2


class MQDL(enum.IntEnum):
    NOT_SUPPORTED = 0
    SUPPORTED = 1


class MQSP(enum.IntEnum):
    NOT_AVAILABLE = 0
    AVAILABLE = 1


class MQSQQM(enum.IntEnum):
    USE = 0
    IGNORE = 1


class MQCAP(enum.IntEnum):
    NOT_SUPPORTED = 0
    SUPPORTED = 1
    EXPIRED = 2


class MQSCOPE(enum.IntEnum):
    ALL = 0
    AS_PARENT = 1
    QMGR = 4


class MQQSGD(enum.IntEnum):
    ALL = -1
    Q_MGR = 0
    COPY = 1
    SHARED = 2
    GROUP = 3
    PRIVATE = 4
    LIVE = 6


class MQNPM(enum.IntEnum):
    CLASS_NORMAL = 0
    CLASS_HIGH = 10


class MQQF(enum.IntEnum):
    LOCAL_Q = 1
    CLWL_USEQ_ANY = 64
    CLWL_USEQ_LOCAL = 128


class MQRAR(enum.IntEnum):
    NO = 0
    YES = 1


class MQMON(enum.IntEnum):
    Q_MGR = -3
    NONE = -1
    NOT_AVAILABLE = -1
    OFF = 0
    DISABLED = 0
    ENABLED = 1
    ON = 1
    LOW = 17
    MEDIUM = 33
    HIGH = 65
