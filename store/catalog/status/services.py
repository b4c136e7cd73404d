"""What DISPLAY LSSTATUS, SVSTATUS and CMDSERV show, in their order."""

from mqsc.store.catalog.object_kind import displayed, make_kind
from mqsc.store.catalog.status.shared_types import ANY_TEXT, COUNT, NAME
from mqsc.store.catalog.types import DATE, TIME

_OF_LSSTATUS = (
    displayed("STATUS", ANY_TEXT, "The state: RUNNING, STARTING or STOPPING."),
    displayed("PID", COUNT, "The process ID."),
    displayed("STARTDA", DATE, "The start date."),
    displayed("STARTTI", TIME, "The start time."),
    displayed("DESCR", ANY_TEXT, "The description."),
    displayed("TRPTYPE", ANY_TEXT, "The transport protocol."),
    displayed("CONTROL", ANY_TEXT, "Whether it starts and ends with the queue manager."),
    displayed("IPADDR", ANY_TEXT, "The address on which it listens."),
    displayed("PORT", COUNT, "The port on which it listens."),
    displayed("BACKLOG", COUNT, "The maximum number of waiting connection requests."),
    displayed("ADAPTER", COUNT, "The number of the NETBIOS adapter."),
    displayed("LOCLNAME", ANY_TEXT, "The NETBIOS name."),
    displayed("NTBNAMES", COUNT, "The number of NETBIOS names in use."),
    displayed("SESSIONS", COUNT, "The number of NETBIOS sessions in use."),
    displayed("SOCKET", COUNT, "The SPX socket."),
    displayed("TPNAME", ANY_TEXT, "The LU 6.2 transaction program."),
)
LSSTATUS = make_kind(
    "LSSTATUS",
    NAME,
    _OF_LSSTATUS,
    key=("LISTENER",),
    heading_id="AMQ8631I",
    heading="Display listener status details.",
)

_OF_SVSTATUS = (
    displayed("STATUS", ANY_TEXT, "The state: RUNNING, STARTING or STOPPING."),
    displayed("PID", COUNT, "The process ID."),
    displayed("SERVTYPE", ANY_TEXT, "Whether the service is monitored while it runs."),
    displayed("STARTDA", DATE, "The start date."),
    displayed("STARTTI", TIME, "The start time."),
    displayed("CONTROL", ANY_TEXT, "Whether it starts and ends with the queue manager."),
    displayed("STARTCMD", ANY_TEXT, "The program that starts the service."),
    displayed("STARTARG", ANY_TEXT, "The arguments of the program."),
    displayed("STOPCMD", ANY_TEXT, "The program that stops the service."),
    displayed("STOPARG", ANY_TEXT, "The arguments of the program."),
    displayed("DESCR", ANY_TEXT, "The description."),
    displayed("STDOUT", ANY_TEXT, "The file for standard output."),
    displayed("STDERR", ANY_TEXT, "The file for standard error."),
)
SVSTATUS = make_kind(
    "SVSTATUS",
    NAME,
    _OF_SVSTATUS,
    key=("SERVICE",),
    heading_id="AMQ8632I",
    heading="Display service status details.",
)

_OF_CMDSERV = (
    displayed(
        "STATUS", ANY_TEXT, "The state: STOPPED, because the program that reads a command runs it."
    ),
)
CMDSERV = make_kind(
    "CMDSERV",
    NAME,
    _OF_CMDSERV,
    key=("STATUS",),
    heading_id="MQSC0006I",
    heading="Display command server details.",
)
