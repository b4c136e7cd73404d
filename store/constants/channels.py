"""Values of channel attributes and states."""

from __future__ import annotations

import enum


class MQCHSSTATE(enum.IntEnum):
    OTHER = 0
    END_OF_BATCH = 100
    SENDING = 200
    RECEIVING = 300
    SERIALIZING = 400
    RESYNCHING = 500
    HEARTBEATING = 600
    IN_SCYEXIT = 700
    IN_RCVEXIT = 800
    IN_SENDEXIT = 900
    IN_MSGEXIT = 1000
    IN_MREXIT = 1100
    IN_CHADEXIT = 1200
    NET_CONNECTING = 1250
    SSL_HANDSHAKING = 1300
    NAME_SERVER = 1400
    IN_MQPUT = 1500
    IN_MQGET = 1600
    IN_MQI_CALL = 1700
    COMPRESSING = 1800


class MQCHSH(enum.IntEnum):
    RESTART_NO = 0
    RESTART_YES = 1


class MQCHSR(enum.IntEnum):
    STOP_NOT_REQUESTED = 0
    STOP_REQUESTED = 1


class MQCHRR(enum.IntEnum):
    RESET_NOT_REQUESTED = 0


class MQCHLA(enum.IntEnum):
    DISABLED = 0
    ENABLED = 1


class MQCHLD(enum.IntEnum):
    ALL = -1
    DEFAULT = 1
    SHARED = 2
    PRIVATE = 4
    FIXSHARED = 5


class MQCHIDS(enum.IntEnum):
    NOT_INDOUBT = 0
    INDOUBT = 1


class MQCHTAB(enum.IntEnum):
    Q_MGR = 1
    CLNTCONN = 2


class MQMCAT(enum.IntEnum):
    PROCESS = 1
    THREAD = 2


class MQMCAS(enum.IntEnum):
    STOPPED = 0
    RUNNING = 3


class MQNPMS(enum.IntEnum):
    NORMAL = 1
    FAST = 2


class MQPA(enum.IntEnum):
    DEFAULT = 1
    CONTEXT = 2
    ONLY_MCA = 3
    ALTERNATE_OR_MCA = 4


class MQCAFTY(enum.IntEnum):
    NONE = 0
    PREFERRED = 1


class MQDCC(enum.IntEnum):
    NONE = 0
    SOURCE_ENC_UNDEFINED = 0
    TARGET_ENC_UNDEFINED = 0
    DEFAULT_CONVERSION = 1
    FILL_TARGET_BUFFER = 2
    INT_DEFAULT_CONVERSION = 4
    SOURCE_ENC_FACTOR = 16
    SOURCE_ENC_NORMAL = 16
    SOURCE_ENC_NATIVE = 32
    SOURCE_ENC_REVERSED = 32
    SOURCE_ENC_MASK = 240
    TARGET_ENC_FACTOR = 256
    TARGET_ENC_NORMAL = 256
    TARGET_ENC_NATIVE = 512
    TARGET_ENC_REVERSED = 512
    TARGET_ENC_MASK = 3840


class MQCOMPRESS(enum.IntEnum):
    NOT_AVAILABLE = -1
    NONE = 0
    RLE = 1
    ZLIBFAST = 2
    ZLIBHIGH = 4
    SYSTEM = 8
    LZ4FAST = 16
    LZ4HIGH = 32
    ANY = 268435455


class MQUNDELIVERED(enum.IntEnum):
    NORMAL = 0
    SAFE = 1
    DISCARD = 2
    KEEP = 3


class MQCAUT(enum.IntEnum):
    ALL = 0
    BLOCKUSER = 1
    BLOCKADDR = 2
    SSLPEERMAP = 3
    ADDRESSMAP = 4
    USERMAP = 5
    QMGRMAP = 6


class MQKAI(enum.IntEnum):
    AUTO = -1


class MQRCN(enum.IntEnum):
    NO = 0
    YES = 1
    Q_MGR = 2
    DISABLED = 3


class MQRDNS(enum.IntEnum):
    ENABLED = 0
    DISABLED = 1


class MQPROTO(enum.IntEnum):
    MQTTV3 = 1
    HTTP = 2
    AMQP = 3
    MQTTV311 = 4


class MQXDR(enum.IntEnum):
    OK = 0
    CONVERSION_FAILED = 1


class MQSCA(enum.IntEnum):
    REQUIRED = 0
    OPTIONAL = 1
    NEVER_REQUIRED = 2


class MQUSEDLQ(enum.IntEnum):
    AS_PARENT = 0
    NO = 1
    YES = 2


class MQIMMREASON(enum.IntEnum):
    NONE = 0
    NOT_CLIENT = 1
    NOT_RECONNECTABLE = 2
    MOVING = 3
    APPLNAME_CHANGED = 4
    IN_TRANSACTION = 5
    AWAITS_REPLY = 6
    NO_REDIRECT = 7


class MQBALANCED(enum.IntEnum):
    NO = 0
    YES = 1
    NOT_APPLICABLE = 2
    UNKNOWN = 3


class MQBALSTATE(enum.IntEnum):
    NOT_APPLICABLE = 0
    LOW = 1
    OK = 2
    HIGH = 3
    UNKNOWN = 4


class MQAPPL(enum.IntEnum):
    IMMOVABLE = 0
    MOVABLE = 1


class MQQS(enum.IntEnum):
    UNKNOWN = -1
    UNPROTECTED = 0
    HYBMLKEM = 1
    MLKEM = 2


class MQQSR(enum.IntEnum):
    OPTIONAL = 0
    REQUIRED = 1


class MQTRIGGER(enum.IntEnum):
    RESTART_NO = 0
    RESTART_YES = 1
