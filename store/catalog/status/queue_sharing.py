"""What DISPLAY GROUP and CFSTATUS show, in their order."""

from mqsc.store.catalog.object_kind import displayed, make_kind
from mqsc.store.catalog.status.shared_types import ANY_TEXT, COUNT, NAME, YES_OR_NO
from mqsc.store.catalog.types import DATE, TIME, Name

_OF_GROUP = (
    displayed("NUMBER", COUNT, "The number of the member in the group."),
    displayed(
        "STATUS",
        ANY_TEXT,
        "The state of the member: CREATED until it has been started, ACTIVE or INACTIVE.",
    ),
    displayed("CMDLEVEL", COUNT, "The level of the commands that the member supports."),
    displayed("EXPSCAN", YES_OR_NO, "Whether the member scans shared queues for expired messages."),
)
GROUP = make_kind(
    "GROUP",
    NAME,
    _OF_GROUP,
    key=("QSGNAME", "QMNAME"),
    heading_id="MQSC0034I",
    heading="Display queue-sharing group details.",
)

_OF_CFSTATUS = (
    displayed("TYPE", ANY_TEXT, "What the row describes: SUMMARY or CONNECT."),
    displayed("CFTYPE", ANY_TEXT, "The type of structure: APPL, for application queues."),
    displayed("QMNAME", NAME, "The member that uses the structure."),
    displayed("SYSNAME", ANY_TEXT, "The system on which the member runs."),
    displayed(
        "STATUS",
        ANY_TEXT,
        "The state of the structure: NOTFOUND before a queue of it is first opened, then ACTIVE.",
    ),
    displayed(
        "SIZEMAX",
        COUNT,
        "The size of the structure in kilobytes; 0, because only the disk limits it here.",
    ),
    displayed("SIZEUSED", COUNT, "The message data in the structure, in kilobytes."),
    displayed(
        "ENTSMAX", COUNT, "The most entries of the structure; 0, because there is no limit here."
    ),
    displayed("ENTSUSED", COUNT, "The messages in the structure."),
    displayed("OFFLDUSE", ANY_TEXT, "Where large messages are offloaded: NONE."),
    displayed(
        "FAILDATE",
        DATE,
        "The date on which the structure failed; blank, because that does not happen here.",
    ),
    displayed(
        "FAILTIME",
        TIME,
        "The time at which the structure failed; blank, because that does not happen here.",
    ),
    displayed(
        "ACCESS",
        ANY_TEXT,
        "Whether shared message data sets can be used (there are none here: blank).",
        hidden=True,
    ),
    displayed(
        "BKUPDATE",
        DATE,
        "The date of the last backup; blank, because structures are not backed up here.",
        hidden=True,
    ),
    displayed("BKUPTIME", TIME, "The time of the last backup; blank.", hidden=True),
    displayed(
        "BKUPSIZE", ANY_TEXT, "The size of the last backup in megabytes; blank.", hidden=True
    ),
    displayed("BKUPSRBA", ANY_TEXT, "Where the last backup starts in the log; blank.", hidden=True),
    displayed("BKUPERBA", ANY_TEXT, "Where the last backup ends in the log; blank.", hidden=True),
    displayed("LOGS", ANY_TEXT, "The members whose logs a recovery needs; blank.", hidden=True),
    displayed(
        "RCVDATE",
        DATE,
        "The date on which the last recovery of a shared message data set started; blank.",
        hidden=True,
    ),
    displayed("RCVTIME", TIME, "The time at which it started; blank.", hidden=True),
    displayed(
        "SMDS", NAME, "The member that owns the shared message data set; blank.", hidden=True
    ),
)
CFSTATUS = make_kind(
    "CFSTATUS",
    Name(12),
    _OF_CFSTATUS,
    key=("CFSTATUS", "TYPE"),
    heading_id="MQSC0031I",
    heading="Display CF structure status details.",
)
