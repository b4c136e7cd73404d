from typing import Final


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
