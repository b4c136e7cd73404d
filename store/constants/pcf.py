"""PCF messages: structures, operators and the reasons of events."""

from __future__ import annotations

import enum


class MQCF(enum.IntEnum):
    NONE = 0
    DIST_LISTS = 1


class MQCFH(enum.IntEnum):
    VERSION_2 = 2
    VERSION_3 = 3
    VERSION_1 = 1


class MQCFO(enum.IntEnum):
    REFRESH_REPOSITORY_NO = 0
    REMOVE_QUEUES_NO = 0
    REFRESH_REPOSITORY_YES = 1
    REMOVE_QUEUES_YES = 1


class MQCFOP(enum.IntEnum):
    LESS = 1
    EQUAL = 2
    NOT_GREATER = 3
    GREATER = 4
    NOT_EQUAL = 5
    NOT_LESS = 6
    CONTAINS = 10
    EXCLUDES = 13
    LIKE = 18
    NOT_LIKE = 21
    CONTAINS_GEN = 26
    EXCLUDES_GEN = 29


class MQCFTYPE(enum.IntEnum):
    APPL = 0
    ADMIN = 1


class MQCFBF(enum.IntEnum):
    STRUC_LENGTH_FIXED = 20


class MQCFBS(enum.IntEnum):
    STRUC_LENGTH_FIXED = 16


class MQCFIL(enum.IntEnum):
    STRUC_LENGTH_FIXED = 16


class MQCFIL64(enum.IntEnum):
    STRUC_LENGTH_FIXED = 16


class MQCFSF(enum.IntEnum):
    STRUC_LENGTH_FIXED = 24


class MQCFSL(enum.IntEnum):
    STRUC_LENGTH_FIXED = 24


class MQCFST(enum.IntEnum):
    STRUC_LENGTH_FIXED = 20


class MQCMDI(enum.IntEnum):
    CMDSCOPE_ACCEPTED = 1
    CMDSCOPE_GENERATED = 2
    CMDSCOPE_COMPLETED = 3
    QSG_DISP_COMPLETED = 4
    COMMAND_ACCEPTED = 5
    CLUSTER_REQUEST_QUEUED = 6
    CHANNEL_INIT_STARTED = 7
    RECOVER_STARTED = 11
    BACKUP_STARTED = 12
    RECOVER_COMPLETED = 13
    SEC_TIMER_ZERO = 14
    REFRESH_CONFIGURATION = 16
    SEC_SIGNOFF_ERROR = 17
    IMS_BRIDGE_SUSPENDED = 18
    DB2_SUSPENDED = 19
    DB2_OBSOLETE_MSGS = 20
    SEC_UPPERCASE = 21
    SEC_MIXEDCASE = 22


class MQEVO(enum.IntEnum):
    OTHER = 0
    CONSOLE = 1
    INIT = 2
    MSG = 3
    MQSET = 4
    INTERNAL = 5
    MQSUB = 6
    CTLMSG = 7
    REST = 8


class MQEVR(enum.IntEnum):
    """Event recording."""

    DISABLED = 0
    ENABLED = 1
    EXCEPTION = 2
    NO_DISPLAY = 3
    API_ONLY = 4
    ADMIN_ONLY = 5
    USER_ONLY = 6


class MQRT(enum.IntEnum):
    CONFIGURATION = 1
    EXPIRY = 2
    NSPROC = 3
    PROXYSUB = 4
    SUB_CONFIGURATION = 5


class MQQMOPT(enum.IntEnum):
    DISABLED = 0
    ENABLED = 1
    REPLY = 2


class MQMODE(enum.IntEnum):
    FORCE = 0
    QUIESCE = 1
    TERMINATE = 2


class MQET(enum.IntEnum):
    MQSC = 1


class MQEXT(enum.IntEnum):
    ALL = 0
    OBJECT = 1
    AUTHORITY = 2


class MQEXTATTRS(enum.IntEnum):
    ALL = 0
    NONDEF = 1


class MQIT(enum.IntEnum):
    NONE = 0
    INTEGER = 1
    MSG_ID = 1
    CORREL_ID = 2
    STRING = 2
    BAG = 3
    MSG_TOKEN = 4
    GROUP_ID = 5


class MQQSOT(enum.IntEnum):
    ALL = 1
    INPUT = 2
    OUTPUT = 3


class MQOPER(enum.IntEnum):
    SYSTEM_FIRST = 0
    UNKNOWN = 0
    BROWSE = 1
    DISCARD = 2
    GET = 3
    PUT = 4
    PUT_REPLY = 5
    PUT_REPORT = 6
    RECEIVE = 7
    SEND = 8
    TRANSFORM = 9
    PUBLISH = 10
    EXCLUDED_PUBLISH = 11
    DISCARDED_PUBLISH = 12
    SYSTEM_LAST = 65535
    APPL_FIRST = 65536
    APPL_LAST = 999999999


class MQROUTE(enum.IntEnum):
    UNLIMITED_ACTIVITIES = 0
    DETAIL_LOW = 2
    DETAIL_MEDIUM = 8
    DETAIL_HIGH = 32
    FORWARD_ALL = 256
    FORWARD_IF_SUPPORTED = 512
    DELIVER_YES = 4096
    DELIVER_NO = 8192
    ACCUMULATE_NONE = 65539
    ACCUMULATE_IN_MSG = 65540
    ACCUMULATE_AND_REPLY = 65541
    FORWARD_REJ_UNSUP_MASK = 4294901760
    DELIVER_REJ_UNSUP_MASK = 4294901760


class MQSELTYPE(enum.IntEnum):
    NONE = 0
    STANDARD = 1
    EXTENDED = 2


class MQMATCH(enum.IntEnum):
    GENERIC = 0
    RUNCHECK = 1
    EXACT = 2
    ALL = 3


class MQAUTH(enum.IntEnum):
    ALL_MQI = -3
    ALL_ADMIN = -2
    ALL = -1
    NONE = 0
    ALT_USER_AUTHORITY = 1
    BROWSE = 2
    CHANGE = 3
    CLEAR = 4
    CONNECT = 5
    CREATE = 6
    DELETE = 7
    DISPLAY = 8
    INPUT = 9
    INQUIRE = 10
    OUTPUT = 11
    PASS_ALL_CONTEXT = 12
    PASS_IDENTITY_CONTEXT = 13
    SET = 14
    SET_ALL_CONTEXT = 15
    SET_IDENTITY_CONTEXT = 16
    CONTROL = 17
    CONTROL_EXTENDED = 18
    PUBLISH = 19
    SUBSCRIBE = 20
    RESUME = 21
    SYSTEM = 22


class MQAUTHOPT(enum.IntEnum):
    ENTITY_EXPLICIT = 1
    ENTITY_SET = 2
    NAME_EXPLICIT = 16
    NAME_ALL_MATCHING = 32
    NAME_AS_WILDCARD = 64
    CUMULATIVE = 256
    EXCLUDE_TEMP = 512


class MQCHK(enum.IntEnum):
    OPTIONAL = 0
    NONE = 1
    REQUIRED_ADMIN = 2
    REQUIRED = 3
    AS_Q_MGR = 4


class MQSECITEM(enum.IntEnum):
    ALL = 0
    MQADMIN = 1
    MQNLIST = 2
    MQPROC = 3
    MQQUEUE = 4
    MQCONN = 5
    MQCMDS = 6
    MXADMIN = 7
    MXNLIST = 8
    MXPROC = 9
    MXQUEUE = 10
    MXTOPIC = 11


class MQSECSW(enum.IntEnum):
    PROCESS = 1
    NAMELIST = 2
    Q = 3
    TOPIC = 4
    CONTEXT = 6
    ALTERNATE_USER = 7
    COMMAND = 8
    CONNECTION = 9
    SUBSYSTEM = 10
    COMMAND_RESOURCES = 11
    Q_MGR = 15
    QSG = 16
    OFF_FOUND = 21
    ON_FOUND = 22
    OFF_NOT_FOUND = 23
    ON_NOT_FOUND = 24
    OFF_ERROR = 25
    ON_OVERRIDDEN = 26


class MQSECTYPE(enum.IntEnum):
    AUTHSERV = 1
    SSL = 2
    CLASSES = 3
    CONNAUTH = 4


class MQSECPROT(enum.IntEnum):
    NONE = 0
    SSLV30 = 1
    TLSV10 = 2
    TLSV12 = 4
    TLSV13 = 8


class MQSECCOMM(enum.IntEnum):
    NO = 0
    YES = 1
    ANON = 2
