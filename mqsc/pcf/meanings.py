"""What some numbers and parameters of PCF mean: all types, groups, and reasons for refusals."""

from collections.abc import Mapping

from mqsc.store.constants import MQCHT, MQIA, MQIACF, MQIACH, MQQT, MQRC, MQRCCF

# The number that means "of every type", by parameter: an inquiry then leaves the parameter out.
EVERY_TYPE: Mapping[int, int] = {
    MQIA.Q_TYPE: int(MQQT.ALL),
    MQIACH.CHANNEL_TYPE: int(MQCHT.ALL),
    MQIA.AUTH_INFO_TYPE: 0,
    MQIA.NAMELIST_TYPE: 1001,
    MQIACH.XMIT_PROTOCOL_TYPE: -1,
}
# The groups of attributes of a queue manager, as selectors.
GROUPS: Mapping[int, str] = {
    MQIACF.Q_MGR_SYSTEM: "SYSTEM",
    MQIACF.Q_MGR_EVENT: "EVENT",
    MQIACF.Q_MGR_DQM: "CHINIT",
    MQIACF.Q_MGR_CLUSTER: "CLUSTER",
    MQIACF.Q_MGR_PUBSUB: "PUBSUB",
}
# The reason for a parameter with a value that is not one of its own.
WRONG_VALUE: Mapping[int, int] = {
    MQIA.Q_TYPE: int(MQRCCF.Q_TYPE_ERROR),
    MQIACF.FORCE: int(MQRCCF.FORCE_VALUE_ERROR),
    MQIACF.REPLACE: int(MQRCCF.REPLACE_VALUE_ERROR),
    MQIACF.PURGE: int(MQRCCF.PURGE_VALUE_ERROR),
    MQIACF.MODE: int(MQRCCF.MODE_VALUE_ERROR),
    MQIACF.ESCAPE_TYPE: int(MQRCCF.ESCAPE_TYPE_ERROR),
    MQIACF.ACTION: int(MQRCCF.ACTION_VALUE_ERROR),
    MQIACH.CHANNEL_TYPE: int(MQRCCF.CHANNEL_TYPE_ERROR),
    MQIACH.IN_DOUBT: int(MQRCCF.INDOUBT_VALUE_ERROR),
}
# The reason when an inquiry finds nothing, by the noun of its command.
NOTHING_FOUND: Mapping[str, int] = {
    "CHANNEL": int(MQRCCF.CHANNEL_NOT_FOUND),
    "SUB": int(MQRC.NO_SUBSCRIPTION),
    "SBSTATUS": int(MQRC.NO_SUBSCRIPTION),
    "TPSTATUS": int(MQRCCF.TOPIC_STRING_NOT_FOUND),
    "LSSTATUS": int(MQRCCF.LSTR_STATUS_NOT_FOUND),
    "SVSTATUS": int(MQRCCF.SERV_STATUS_NOT_FOUND),
}
