"""What DISPLAY QSTATUS shows, in its order."""

from mqsc.store.catalog.object_kind import displayed, make_kind
from mqsc.store.catalog.status.shared_types import (
    ANY_TEXT,
    COUNT,
    LEVEL,
    NAME,
    PROCESS_HELP,
    YES_OR_NO,
)
from mqsc.store.catalog.types import DATE, TIME, Number

_ATTRIBUTES = (
    displayed("TYPE", ANY_TEXT, "Whether the row is about the queue or about a handle on it."),
    displayed("APPLDESC", ANY_TEXT, "The description of the program."),
    displayed("APPLTAG", ANY_TEXT, "The name of the program."),
    displayed("APPLTYPE", ANY_TEXT, "The type of the program."),
    displayed("BROWSE", YES_OR_NO, "Whether the handle is open for browsing."),
    displayed(
        "CHANNEL",
        ANY_TEXT,
        "The channel that a client named; blank for other programs.",
    ),
    displayed("CONNAME", ANY_TEXT, "The address of a client; blank for other programs."),
    displayed("ASTATE", ANY_TEXT, "The state of asynchronous consumption."),
    displayed("HSTATE", ANY_TEXT, "Whether an MQI call is in progress."),
    displayed("CURDEPTH", COUNT, "Messages on the queue, including uncommitted ones."),
    displayed("EXPIRED", COUNT, "Expired messages that have not been discarded yet.", hidden=True),
    displayed(
        "CURFSIZE", COUNT, "Megabytes of the queue's file; queues have no files of their own here."
    ),
    displayed("CURMAXFS", COUNT, "The maximum size of the queue's file, in megabytes."),
    displayed("INPUT", ANY_TEXT, "Whether the handle is open for input: NO, SHARED or EXCL."),
    displayed("INQUIRE", YES_OR_NO, "Whether the handle is open for inquiry."),
    displayed("IPPROCS", COUNT, "Handles open for input."),
    displayed("LGETDATE", DATE, "The date of the last get, UTC."),
    displayed("LGETTIME", TIME, "The time of the last get, UTC."),
    displayed("LPUTDATE", DATE, "The date of the last put, UTC."),
    displayed("LPUTTIME", TIME, "The time of the last put, UTC."),
    displayed(
        "MEDIALOG", ANY_TEXT, "The log extent needed for media recovery; there is none here."
    ),
    displayed("MONQ", LEVEL, "The monitoring level in effect."),
    displayed("MSGAGE", COUNT, "The age of the oldest message, in seconds."),
    displayed("OPPROCS", COUNT, "Handles open for output."),
    displayed("OUTPUT", YES_OR_NO, "Whether the handle is open for output."),
    displayed("PID", COUNT, PROCESS_HELP),
    displayed("QMURID", ANY_TEXT, "The unit of work of the handle's connection."),
    displayed(
        "QTIME",
        ANY_TEXT,
        "Average microseconds that messages stay on the queue: short-term and long-term.",
    ),
    displayed("SET", YES_OR_NO, "Whether the handle is open to set attributes."),
    displayed("TID", ANY_TEXT, "The thread ID."),
    displayed(
        "UNCOM", Number(0, 999999999, {"NO": 0}), "NO, or the number of uncommitted puts and gets."
    ),
    displayed("URID", ANY_TEXT, "The external identifier of the unit of work."),
    displayed("URTYPE", ANY_TEXT, "The type of unit of work."),
    displayed("USERID", ANY_TEXT, "The user ID of the program."),
    displayed("ASID", ANY_TEXT, "The address space."),
    displayed("PSBNAME", ANY_TEXT, "The program specification block."),
    displayed("PSTID", ANY_TEXT, "The region."),
    displayed("TASKNO", ANY_TEXT, "The task."),
    displayed("TRANSID", ANY_TEXT, "The transaction."),
    displayed("QSGDISP", ANY_TEXT, "The queue-sharing group disposition of the queue."),
    displayed(
        "IPGROUP",
        COUNT,
        "Handles that all members of the group have open for input on a shared queue.",
    ),
    displayed(
        "OPGROUP",
        COUNT,
        "Handles that all members of the group have open for output on a shared queue.",
    ),
)
QSTATUS = make_kind(
    "QSTATUS",
    NAME,
    _ATTRIBUTES,
    key=("QUEUE", "TYPE"),
    heading_id="AMQ8450I",
    heading="Display queue status details.",
)
