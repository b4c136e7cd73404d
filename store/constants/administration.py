"""Values that commands take and answer with, except those of queues and channels."""

from __future__ import annotations

import enum


class MQIGQ(enum.IntEnum):
    DISABLED = 0
    ENABLED = 1


class MQPL(enum.IntEnum):
    ZOS = 1
    MVS = 1
    OS390 = 1
    OS2 = 2
    UNIX = 3
    AIX = 3
    OS400 = 4
    WINDOWS = 5
    WINDOWS_NT = 11
    NATIVE = 11
    VMS = 12
    NSS = 13
    NSK = 13
    OPEN_TP1 = 15
    VM = 18
    TPF = 23
    VSE = 27
    APPLIANCE = 28


class MQQMSTA(enum.IntEnum):
    STARTING = 1
    RUNNING = 2
    QUIESCING = 3
    STANDBY = 4


class MQQMT(enum.IntEnum):
    NORMAL = 0
    REPOSITORY = 1


class MQQSGS(enum.IntEnum):
    UNKNOWN = 0
    CREATED = 1
    ACTIVE = 2
    INACTIVE = 3
    FAILED = 4
    PENDING = 5


class MQRU(enum.IntEnum):
    PUBLISH_ON_REQUEST = 1
    PUBLISH_ALL = 2


class MQS(enum.IntEnum):
    AVAIL_NORMAL = 0
    EXPANDST_NORMAL = 0
    OPENMODE_NONE = 0
    STATUS_CLOSED = 0
    AVAIL_ERROR = 1
    EXPANDST_FAILED = 1
    OPENMODE_READONLY = 1
    STATUS_CLOSING = 1
    AVAIL_STOPPED = 2
    EXPANDST_MAXIMUM = 2
    OPENMODE_UPDATE = 2
    STATUS_OPENING = 2
    OPENMODE_RECOVERY = 3
    STATUS_OPEN = 3
    STATUS_NOTENABLED = 4
    STATUS_ALLOCFAIL = 5
    STATUS_OPENFAIL = 6
    STATUS_STGFAIL = 7
    STATUS_DATAFAIL = 8


class MQUOWST(enum.IntEnum):
    NONE = 0
    ACTIVE = 1
    PREPARED = 2
    UNRESOLVED = 3


class MQUOWT(enum.IntEnum):
    Q_MGR = 0
    CICS = 1
    RRS = 2
    IMS = 3
    XA = 4


class MQUSAGE(enum.IntEnum):
    PS_AVAILABLE = 0
    SMDS_AVAILABLE = 0
    EXPAND_USER = 1
    PS_DEFINED = 1
    SMDS_NO_DATA = 1
    EXPAND_SYSTEM = 2
    PS_OFFLINE = 2
    EXPAND_NONE = 3
    PS_NOT_DEFINED = 3
    PS_SUSPENDED = 4
    DS_OLDEST_ACTIVE_UOW = 10
    DS_OLDEST_PS_RECOVERY = 11
    DS_OLDEST_CF_RECOVERY = 12


class MQXACT(enum.IntEnum):
    EXTERNAL = 1
    INTERNAL = 2


class MQACTIVE(enum.IntEnum):
    NO = 0
    YES = 1


class MQADPCTX(enum.IntEnum):
    NO = 0
    YES = 1


class MQAS(enum.IntEnum):
    NONE = 0
    STARTED = 1
    START_WAIT = 2
    STOPPED = 3
    SUSPENDED = 4
    SUSPENDED_TEMPORARY = 5
    ACTIVE = 6
    INACTIVE = 7


class MQAUSC(enum.IntEnum):
    FAILURES = 0
    ALLCONNS = 1
    ALLCHECKS = 2


class MQAUTHENTICATE(enum.IntEnum):
    OS = 0
    PAM = 1


class MQAUTOCLUS(enum.IntEnum):
    TYPE_NONE = 0
    TYPE_UNIFORM = 1


class MQBPLOCATION(enum.IntEnum):
    BELOW = 0
    ABOVE = 1
    SWITCHING_ABOVE = 2
    SWITCHING_BELOW = 3


class MQBT(enum.IntEnum):
    OTMA = 1


class MQCFACCESS(enum.IntEnum):
    ENABLED = 0
    SUSPENDED = 1
    DISABLED = 2


class MQCFSTATUS(enum.IntEnum):
    NOT_FOUND = 0
    ACTIVE = 1
    IN_RECOVER = 2
    IN_BACKUP = 3
    FAILED = 4
    NONE = 5
    UNKNOWN = 6
    RECOVERED = 7
    EMPTY = 8
    NEW = 9
    ADMIN_INCOMPLETE = 20
    NEVER_USED = 21
    NO_BACKUP = 22
    NOT_FAILED = 23
    NOT_RECOVERABLE = 24
    XES_ERROR = 25


class MQCLCT(enum.IntEnum):
    STATIC = 0
    DYNAMIC = 1


class MQCLROUTE(enum.IntEnum):
    DIRECT = 0
    TOPIC_HOST = 1
    NONE = 2


class MQCLRS(enum.IntEnum):
    LOCAL = 1
    GLOBAL = 2


class MQCLRT(enum.IntEnum):
    RETAINED = 1


class MQCLST(enum.IntEnum):
    ACTIVE = 0
    PENDING = 1
    INVALID = 2
    ERROR = 3


class MQCLXQ(enum.IntEnum):
    SCTQ = 0
    CHANNEL = 1


class MQDISCONNECT(enum.IntEnum):
    NORMAL = 0
    IMPLICIT = 1
    Q_MGR = 2


class MQDOPT(enum.IntEnum):
    RESOLVED = 0
    DEFINED = 1


class MQERO(enum.IntEnum):
    NONE = 0


class MQFC(enum.IntEnum):
    NO = 0
    YES = 1


class MQFS(enum.IntEnum):
    SHARED = -1


class MQFSENC(enum.IntEnum):
    NO = 0
    YES = 1
    UNKNOWN = 2


class MQGUR(enum.IntEnum):
    DISABLED = 0
    ENABLED = 1


class MQIDO(enum.IntEnum):
    COMMIT = 1
    BACKOUT = 2


class MQINBD(enum.IntEnum):
    Q_MGR = 0
    GROUP = 3


class MQIS(enum.IntEnum):
    NO = 0
    YES = 1


class MQLDAP(enum.IntEnum):
    AUTHORMD_OS = 0
    NESTGRP_NO = 0
    AUTHORMD_SEARCHGRP = 1
    NESTGRP_YES = 1
    AUTHORMD_SEARCHUSR = 2
    AUTHORMD_SRCHGRPSN = 3


class MQLDAPC(enum.IntEnum):
    INACTIVE = 0
    CONNECTED = 1
    ERROR = 2


class MQLOGTYPE(enum.IntEnum):
    CIRCULAR = 0
    LINEAR = 1
    REPLICATED = 2


class MQLR(enum.IntEnum):
    MAX = -2
    AUTO = -1
    ONE = 1


class MQMCP(enum.IntEnum):
    COMPAT = -2
    ALL = -1
    NONE = 0
    USER = 1
    REPLY = 2


class MQMLP(enum.IntEnum):
    TOLERATE_UNPROTECTED_NO = 0
    ENCRYPTION_ALG_NONE = 0
    SIGN_ALG_NONE = 0
    TOLERATE_UNPROTECTED_YES = 1
    ENCRYPTION_ALG_RC2 = 1
    SIGN_ALG_MD5 = 1
    ENCRYPTION_ALG_DES = 2
    SIGN_ALG_SHA1 = 2
    ENCRYPTION_ALG_3DES = 3
    SIGN_ALG_SHA224 = 3
    ENCRYPTION_ALG_AES128 = 4
    SIGN_ALG_SHA256 = 4
    ENCRYPTION_ALG_AES256 = 5
    SIGN_ALG_SHA384 = 5
    SIGN_ALG_SHA512 = 6


class MQMULC(enum.IntEnum):
    STANDARD = 0
    REFINED = 1


class MQNSH(enum.IntEnum):
    ALL = -1
    NONE = 0


class MQOPMODE(enum.IntEnum):
    COMPAT = 0
    NEW_FUNCTION = 1


class MQPAGECLAS(enum.IntEnum):
    _4KB = 0
    FIXED4KB = 1


class MQPO(enum.IntEnum):
    NO = 0
    YES = 1


class MQPS(enum.IntEnum):
    STATUS_INACTIVE = 0
    STATUS_STARTING = 1
    STATUS_STOPPING = 2
    STATUS_ACTIVE = 3
    STATUS_COMPAT = 4
    STATUS_ERROR = 5
    STATUS_REFUSED = 6


class MQPSCT(enum.IntEnum):
    NONE = -1


class MQPSST(enum.IntEnum):
    ALL = 0
    LOCAL = 1
    PARENT = 2
    CHILD = 3


class MQPUBO(enum.IntEnum):
    NONE = 0
    CORREL_ID_AS_IDENTITY = 1
    RETAIN_PUBLICATION = 2
    OTHER_SUBSCRIBERS_ONLY = 4
    NO_REGISTRATION = 8
    IS_RETAINED_PUBLICATION = 16


class MQQMDT(enum.IntEnum):
    EXPLICIT_CLUSTER_SENDER = 1
    AUTO_CLUSTER_SENDER = 2
    CLUSTER_RECEIVER = 3
    AUTO_EXP_CLUSTER_SENDER = 4


class MQQMF(enum.IntEnum):
    REPOSITORY_Q_MGR = 2
    CLUSSDR_USER_DEFINED = 8
    CLUSSDR_AUTO_DEFINED = 16
    AVAILABLE = 32


class MQQMFAC(enum.IntEnum):
    IMS_BRIDGE = 1
    DB2 = 2


class MQQO(enum.IntEnum):
    NO = 0
    YES = 1


class MQQSUM(enum.IntEnum):
    NO = 0
    YES = 1


class MQREGO(enum.IntEnum):
    NONE = 0
    CORREL_ID_AS_IDENTITY = 1
    ANONYMOUS = 2
    LOCAL = 4
    DIRECT_REQUESTS = 8
    NEW_PUBLICATIONS_ONLY = 16
    PUBLISH_ON_REQUEST_ONLY = 32
    DEREGISTER_ALL = 64
    INCLUDE_STREAM_NAME = 128
    INFORM_IF_RETAINED = 256
    DUPLICATES_OK = 512
    NON_PERSISTENT = 1024
    PERSISTENT = 2048
    PERSISTENT_AS_PUBLISH = 4096
    PERSISTENT_AS_Q = 8192
    ADD_NAME = 16384
    NO_ALTERATION = 32768
    FULL_RESPONSE = 65536
    JOIN_SHARED = 131072
    JOIN_EXCLUSIVE = 262144
    LEAVE_ONLY = 524288
    VARIABLE_USER_ID = 1048576
    LOCKED = 2097152


class MQRP(enum.IntEnum):
    NO = 0
    YES = 1


class MQSCO(enum.IntEnum):
    Q_MGR = 1
    CELL = 2


class MQSPL(enum.IntEnum):
    PASSTHRU = 0
    REMOVE = 1
    AS_POLICY = 2


class MQSTDBY(enum.IntEnum):
    NOT_PERMITTED = 0
    PERMITTED = 1


class MQSUBTYPE(enum.IntEnum):
    USER = -2
    ALL = -1
    API = 1
    ADMIN = 2
    PROXY = 3


class MQSUS(enum.IntEnum):
    NO = 0
    YES = 1


class MQSYNCPOINT(enum.IntEnum):
    YES = 0
    IFPER = 1


class MQSYSOBJ(enum.IntEnum):
    YES = 0
    NO = 1


class MQSYSP(enum.IntEnum):
    NO = 0
    YES = 1
    EXTENDED = 2
    TYPE_INITIAL = 10
    TYPE_SET = 11
    TYPE_LOG_COPY = 12
    TYPE_LOG_STATUS = 13
    TYPE_ARCHIVE_TAPE = 14
    ALLOC_BLK = 20
    ALLOC_TRK = 21
    ALLOC_CYL = 22
    STATUS_BUSY = 30
    STATUS_PREMOUNT = 31
    STATUS_AVAILABLE = 32
    STATUS_UNKNOWN = 33
    STATUS_ALLOC_ARCHIVE = 34
    STATUS_COPYING_BSDS = 35
    STATUS_COPYING_LOG = 36


class MQTIME(enum.IntEnum):
    UNIT_MINS = 0
    UNIT_SECS = 1


class MQUCI(enum.IntEnum):
    NO = 0
    YES = 1


class MQUIDSUPP(enum.IntEnum):
    NO = 0
    YES = 1
