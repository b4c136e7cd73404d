import enum


class MQAT(enum.IntEnum):
    """Types of application."""

    UNKNOWN = -1
    NO_CONTEXT = 0
    CICS = 1
    ZOS = 2
    MVS = 2
    OS390 = 2
    IMS = 3
    OS2 = 4
    DOS = 5
    UNIX = 6
    AIX = 6
    DEFAULT = 6
    QMGR = 7
    OS400 = 8
    WINDOWS = 9
    CICS_VSE = 10
    WINDOWS_NT = 11
    VMS = 12
    NSK = 13
    GUARDIAN = 13
    VOS = 14
    OPEN_TP1 = 15
    VM = 18
    IMS_BRIDGE = 19
    XCF = 20
    CICS_BRIDGE = 21
    NOTES_AGENT = 22
    TPF = 23
    USER = 25
    BROKER = 26
    QMGR_PUBLISH = 26
    JAVA = 28
    DQM = 29
    CHANNEL_INITIATOR = 30
    WLM = 31
    BATCH = 32
    RRS_BATCH = 33
    SIB = 34
    SYSTEM_EXTENSION = 35
    MCAST_PUBLISH = 36
    AMQP = 37
    USER_FIRST = 65536
    USER_LAST = 999999999
