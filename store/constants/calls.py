"""Connections, handles, object types and waits."""

from __future__ import annotations

import enum
from typing import Final


class MQHC(enum.IntEnum):
    """Connection handles."""

    UNASSOCIATED_HCONN = -3
    UNUSABLE_HCONN = -1
    DEF_HCONN = 0


class MQHO(enum.IntEnum):
    """Object handles."""

    UNUSABLE_HOBJ = -1
    NONE = 0


class MQOT(enum.IntEnum):
    """Object types."""

    NONE = 0
    Q = 1
    NAMELIST = 2
    PROCESS = 3
    STORAGE_CLASS = 4
    Q_MGR = 5
    CHANNEL = 6
    AUTH_INFO = 7
    TOPIC = 8
    COMM_INFO = 9
    CF_STRUC = 10
    LISTENER = 11
    SERVICE = 12
    RESERVED_1 = 999
    ALL = 1001
    ALIAS_Q = 1002
    MODEL_Q = 1003
    LOCAL_Q = 1004
    REMOTE_Q = 1005
    SENDER_CHANNEL = 1007
    SERVER_CHANNEL = 1008
    REQUESTER_CHANNEL = 1009
    RECEIVER_CHANNEL = 1010
    CURRENT_CHANNEL = 1011
    SAVED_CHANNEL = 1012
    SVRCONN_CHANNEL = 1013
    CLNTCONN_CHANNEL = 1014
    SHORT_CHANNEL = 1015
    CHLAUTH = 1016
    REMOTE_Q_MGR_NAME = 1017
    PROT_POLICY = 1019
    TT_CHANNEL = 1020
    AMQP_CHANNEL = 1021
    AUTH_REC = 1022


class MQWI(enum.IntEnum):
    """Wait intervals."""

    UNLIMITED = -1


class MQEC(enum.IntEnum):
    MSG_ARRIVED = 2
    WAIT_INTERVAL_EXPIRED = 3
    WAIT_CANCELED = 4
    Q_MGR_QUIESCING = 5
    CONNECTION_QUIESCING = 6


class MQCNO:
    """Connect options."""

    NONE: Final = 0
    RECONNECT_AS_DEF: Final = 0
    STANDARD_BINDING: Final = 0
    FASTPATH_BINDING: Final = 1
    VERSION_1: Final = 1
    SERIALIZE_CONN_TAG_Q_MGR: Final = 2
    VERSION_2: Final = 2
    VERSION_3: Final = 3
    SERIALIZE_CONN_TAG_QSG: Final = 4
    VERSION_4: Final = 4
    VERSION_5: Final = 5
    VERSION_6: Final = 6
    VERSION_7: Final = 7
    CURRENT_VERSION: Final = 8
    RESTRICT_CONN_TAG_Q_MGR: Final = 8
    VERSION_8: Final = 8
    LENGTH_1: Final = 12
    RESTRICT_CONN_TAG_QSG: Final = 16
    LENGTH_2: Final = 24
    HANDLE_SHARE_NONE: Final = 32
    HANDLE_SHARE_BLOCK: Final = 64
    HANDLE_SHARE_NO_BLOCK: Final = 128
    LENGTH_3: Final = 152
    LENGTH_4: Final = 168
    LENGTH_5: Final = 200
    LENGTH_6: Final = 224
    LENGTH_7: Final = 256
    SHARED_BINDING: Final = 256
    CURRENT_LENGTH: Final = 272
    LENGTH_8: Final = 272
    ISOLATED_BINDING: Final = 512
    LOCAL_BINDING: Final = 1024
    CLIENT_BINDING: Final = 2048
    ACCOUNTING_MQI_ENABLED: Final = 4096
    ACCOUNTING_MQI_DISABLED: Final = 8192
    ACCOUNTING_Q_ENABLED: Final = 16384
    ACCOUNTING_Q_DISABLED: Final = 32768
    NO_CONV_SHARING: Final = 65536
    ALL_CONVS_SHARE: Final = 262144
    CD_FOR_OUTPUT_ONLY: Final = 524288
    USE_CD_SELECTION: Final = 1048576
    GENERATE_CONN_TAG: Final = 2097152
    RECONNECT: Final = 16777216
    RECONNECT_DISABLED: Final = 33554432
    RECONNECT_Q_MGR: Final = 67108864
    ACTIVITY_TRACE_ENABLED: Final = 134217728
    ACTIVITY_TRACE_DISABLED: Final = 268435456
    STRUC_ID: Final = "CNO "


class MQBO:
    NONE: Final = 0
    CURRENT_VERSION: Final = 1
    VERSION_1: Final = 1
    CURRENT_LENGTH: Final = 12
    LENGTH_1: Final = 12
    STRUC_ID: Final = "BO  "


class MQBND(enum.IntEnum):
    BIND_ON_OPEN = 0
    BIND_NOT_FIXED = 1
    BIND_ON_GROUP = 2


class MQDELO(enum.IntEnum):
    NONE = 0
    LOCAL = 4


class MQIAV(enum.IntEnum):
    UNDEFINED = -2
    NOT_APPLICABLE = -1


class MQSTAT(enum.IntEnum):
    TYPE_ASYNC_ERROR = 0
    TYPE_RECONNECTION = 1
    TYPE_RECONNECTION_ERROR = 2


class MQHSTATE(enum.IntEnum):
    INACTIVE = 0
    ACTIVE = 1
