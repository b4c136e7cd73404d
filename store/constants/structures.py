"""Identifiers, versions and lengths of structures."""

from __future__ import annotations

import enum
from typing import Final


class MQMD:
    VERSION_1: Final = 1
    CURRENT_VERSION: Final = 2
    VERSION_2: Final = 2
    LENGTH_1: Final = 324
    CURRENT_LENGTH: Final = 364
    LENGTH_2: Final = 364
    STRUC_ID: Final = "MD  "


class MQMD1(enum.IntEnum):
    CURRENT_LENGTH = 324
    LENGTH_1 = 324


class MQMD2(enum.IntEnum):
    LENGTH_1 = 324
    CURRENT_LENGTH = 364
    LENGTH_2 = 364


class MQMDE:
    CURRENT_VERSION: Final = 2
    VERSION_2: Final = 2
    CURRENT_LENGTH: Final = 72
    LENGTH_2: Final = 72
    STRUC_ID: Final = "MDE "


class MQDLH:
    CURRENT_VERSION: Final = 1
    VERSION_1: Final = 1
    CURRENT_LENGTH: Final = 172
    LENGTH_1: Final = 172
    STRUC_ID: Final = "DLH "


class MQXQH:
    CURRENT_VERSION: Final = 1
    VERSION_1: Final = 1
    CURRENT_LENGTH: Final = 428
    LENGTH_1: Final = 428
    STRUC_ID: Final = "XQH "


class MQTM:
    CURRENT_VERSION: Final = 1
    VERSION_1: Final = 1
    CURRENT_LENGTH: Final = 684
    LENGTH_1: Final = 684
    STRUC_ID: Final = "TM  "


class MQTMC:
    VERSION_1: Final = "   1"
    CURRENT_VERSION: Final = "   2"
    VERSION_2: Final = "   2"
    CURRENT_LENGTH: Final = 684
    LENGTH_1: Final = 684
    STRUC_ID: Final = "TMC "


class MQTMC2(enum.IntEnum):
    LENGTH_1 = 684
    CURRENT_LENGTH = 732
    LENGTH_2 = 732


class MQOD:
    VERSION_1: Final = 1
    VERSION_2: Final = 2
    VERSION_3: Final = 3
    CURRENT_VERSION: Final = 4
    VERSION_4: Final = 4
    LENGTH_1: Final = 168
    LENGTH_2: Final = 208
    LENGTH_3: Final = 344
    CURRENT_LENGTH: Final = 424
    LENGTH_4: Final = 424
    STRUC_ID: Final = "OD  "


class MQPMRF(enum.IntEnum):
    NONE = 0
    MSG_ID = 1
    CORREL_ID = 2
    GROUP_ID = 4
    FEEDBACK = 8
    ACCOUNTING_TOKEN = 16


class MQEPH(enum.IntEnum):
    NONE = 0
    CCSID_EMBEDDED = 1
    STRUC_LENGTH_FIXED = 68
    LENGTH_1 = 68
    VERSION_1 = 1


class MQPBC(enum.IntEnum):
    VERSION_2 = 2
    LENGTH_1 = 32
    LENGTH_2 = 40
    VERSION_1 = 1


class MQSBC(enum.IntEnum):
    LENGTH_1 = 288
    VERSION_1 = 1


class MQXEPO(enum.IntEnum):
    NONE = 0
    LENGTH_1 = 40
    VERSION_1 = 1


class MQXP(enum.IntEnum):
    LENGTH_1 = 44
    VERSION_1 = 1


class MQFIELD(enum.IntEnum):
    WQR_StrucId = 8000
    WQR_Version = 8001
    WQR_StrucLength = 8002
    WQR_QFlags = 8003
    WQR_QName = 8004
    WQR_QMgrIdentifier = 8005
    WQR_ClusterRecOffset = 8006
    WQR_QType = 8007
    WQR_QDesc = 8008
    WQR_DefBind = 8009
    WQR_DefPersistence = 8010
    WQR_DefPriority = 8011
    WQR_InhibitPut = 8012
    WQR_CLWLQueuePriority = 8013
    WQR_CLWLQueueRank = 8014
    WQR_DefPutResponse = 8015
    WQR_CapExpiry = 8016
