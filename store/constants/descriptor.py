"""Values of the fields of a message descriptor."""

from __future__ import annotations

import enum
from typing import Final


class MQMT(enum.IntEnum):
    """Message types."""

    REQUEST = 1
    SYSTEM_FIRST = 1
    REPLY = 2
    REPORT = 4
    DATAGRAM = 8
    MQE_FIELDS_FROM_MQE = 112
    MQE_FIELDS = 113
    SYSTEM_LAST = 65535
    APPL_FIRST = 65536
    APPL_LAST = 999999999


class MQEI(enum.IntEnum):
    """Expiry."""

    UNLIMITED = -1


class MQENC:
    """Encodings; numbers, because an encoding is a sum of three."""

    RESERVED_MASK: Final = -4096
    AS_PUBLISHED: Final = -1
    DECIMAL_UNDEFINED: Final = 0
    FLOAT_UNDEFINED: Final = 0
    INTEGER_UNDEFINED: Final = 0
    INTEGER_NORMAL: Final = 1
    INTEGER_REVERSED: Final = 2
    INTEGER_MASK: Final = 15
    DECIMAL_NORMAL: Final = 16
    DECIMAL_REVERSED: Final = 32
    DECIMAL_MASK: Final = 240
    FLOAT_IEEE_NORMAL: Final = 256
    NORMAL: Final = 273
    FLOAT_IEEE_REVERSED: Final = 512
    NATIVE: Final = 546
    REVERSED: Final = 546
    FLOAT_S390: Final = 768
    S390: Final = 785
    FLOAT_TNS: Final = 1024
    TNS: Final = 1041
    FLOAT_MASK: Final = 3840


class MQCCSI(enum.IntEnum):
    """Coded character sets."""

    AS_PUBLISHED = -4
    APPL = -3
    INHERIT = -2
    EMBEDDED = -1
    DEFAULT = 0
    Q_MGR = 0
    UNDEFINED = 0


class MQFMT:
    """Names of message formats, without padding."""

    ADMIN: Final = "MQADMIN"
    AMQP: Final = "MQAMQP"
    CHANNEL_COMPLETED: Final = "MQCHCOM"
    CICS: Final = "MQCICS"
    COMMAND_1: Final = "MQCMD1"
    COMMAND_2: Final = "MQCMD2"
    DEAD_LETTER_HEADER: Final = "MQDEAD"
    DIST_HEADER: Final = "MQHDIST"
    EMBEDDED_PCF: Final = "MQHEPCF"
    EVENT: Final = "MQEVENT"
    IMS: Final = "MQIMS"
    IMS_VAR_STRING: Final = "MQIMSVS"
    MD_EXTENSION: Final = "MQHMDE"
    NONE: Final = ""
    PCF: Final = "MQPCF"
    REF_MSG_HEADER: Final = "MQHREF"
    RF_HEADER: Final = "MQHRF"
    RF_HEADER_1: Final = "MQHRF"
    RF_HEADER_2: Final = "MQHRF2"
    STRING: Final = "MQSTR"
    TRIGGER: Final = "MQTRIG"
    WORK_INFO_HEADER: Final = "MQHWIH"
    XMIT_Q_HEADER: Final = "MQXMIT"


class MQPRI(enum.IntEnum):
    """Priorities."""

    PRIORITY_AS_PUBLISHED = -3
    PRIORITY_AS_PARENT = -2
    PRIORITY_AS_Q_DEF = -1
    PRIORITY_AS_TOPIC_DEF = -1


class MQPER(enum.IntEnum):
    """Persistence."""

    PERSISTENCE_AS_PARENT = -1
    NOT_PERSISTENT = 0
    PERSISTENT = 1
    PERSISTENCE_AS_Q_DEF = 2
    PERSISTENCE_AS_TOPIC_DEF = 2


class MQMI:
    """Message identifiers."""

    NONE: Final = bytes(24)


class MQCI:
    """Correlation identifiers."""

    NEW_SESSION: Final = b"AMQ!NEW_SESSION_CORRELID"
    NONE: Final = bytes(24)


class MQGI:
    """Group identifiers."""

    NONE: Final = bytes(24)


class MQMTOK:
    """Message tokens."""

    NONE: Final = bytes(16)


class MQOL(enum.IntEnum):
    """Original lengths."""

    UNDEFINED = -1


class MQACT:
    FORCE_REMOVE: Final = 1
    ADVANCE_LOG: Final = 2
    COLLECT_STATISTICS: Final = 3
    PUBSUB: Final = 4
    ADD: Final = 5
    REPLACE: Final = 6
    REMOVE: Final = 7
    REMOVEALL: Final = 8
    FAIL: Final = 9
    REDUCE_LOG: Final = 10
    ARCHIVE_LOG: Final = 11
    NONE: Final = bytes(32)


class MQACTT:
    """Types of accounting token."""

    AZUREAD_SECURITY_ID: Final = b"\x0c"
    CICS_LUOW_ID: Final = b"\x01"
    DOS_DEFAULT: Final = b"\x05"
    MS_ACC_AUTH_SECURITY_ID: Final = b"\r"
    NT_SECURITY_ID: Final = b"\x0b"
    OS2_DEFAULT: Final = b"\x04"
    OS400_ACCOUNT_TOKEN: Final = b"\x08"
    UNIX_NUMERIC_ID: Final = b"\x06"
    UNKNOWN: Final = b"\x00"
    USER: Final = b"\x19"
    WINDOWS_DEFAULT: Final = b"\t"


class MQGS:
    LAST_MSG_IN_GROUP: Final = "L"
    MSG_IN_GROUP: Final = "G"
    NOT_IN_GROUP: Final = " "


class MQSS:
    LAST_SEGMENT: Final = "L"
    NOT_A_SEGMENT: Final = " "
    SEGMENT: Final = "S"


class MQSEG:
    ALLOWED: Final = "A"
    INHIBITED: Final = " "


class MQUA(enum.IntEnum):
    FIRST = 65536
    LAST = 999999999


class MQEXPI(enum.IntEnum):
    OFF = 0
