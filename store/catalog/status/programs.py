"""What DISPLAY CONN and APSTATUS show, in their order."""

from mqsc.store.catalog.object_kind import displayed, make_kind
from mqsc.store.catalog.status.shared_types import ANY_TEXT, COUNT, NAME, PROCESS_HELP, YES_OR_NO
from mqsc.store.catalog.types import DATE, TIME, Items, Shaped, Text, Word

_OF_CONN = (
    displayed(
        "EXTCONN",
        ANY_TEXT,
        "The part of the connection identifier that identifies the queue manager.",
    ),
    displayed(
        "TYPE", ANY_TEXT, "Whether the row is about the connection or about one of its handles."
    ),
    displayed("PID", COUNT, PROCESS_HELP),
    displayed("TID", ANY_TEXT, "The thread ID."),
    displayed("APPLDESC", ANY_TEXT, "The description of the program."),
    displayed("APPLTAG", ANY_TEXT, "The name of the program."),
    displayed("APPLTYPE", ANY_TEXT, "The type of the program."),
    displayed("OBJNAME", NAME, "The name of the object that the handle opened."),
    displayed("OBJTYPE", ANY_TEXT, "The type of the object that the handle opened."),
    displayed("ASTATE", ANY_TEXT, "The state of asynchronous consumption."),
    displayed("HSTATE", ANY_TEXT, "Whether an MQI call is in progress."),
    displayed("OPENOPTS", Items(Word(()), 256), "The options of the open call."),
    displayed("READA", ANY_TEXT, "The state of read ahead."),
    displayed(
        "CHANNEL",
        ANY_TEXT,
        "The channel that a client named, or that whose unit of work is in doubt; blank for other "
        "programs.",
    ),
    displayed("CLIENTID", ANY_TEXT, "The client identifier."),
    displayed("CONNAME", ANY_TEXT, "The address of a client; blank for other programs."),
    displayed("CONNOPTS", Items(Word(()), 256), "The options of the connect call."),
    displayed("USERID", ANY_TEXT, "The user ID of the program."),
    displayed("UOWLOG", ANY_TEXT, "The log extent in which the unit of work started."),
    displayed("UOWSTDA", DATE, "The date on which the unit of work started."),
    displayed("UOWSTTI", TIME, "The time at which the unit of work started."),
    displayed("UOWLOGDA", DATE, "The date on which the unit of work first wrote to the log."),
    displayed("UOWLOGTI", TIME, "The time at which the unit of work first wrote to the log."),
    displayed("URTYPE", ANY_TEXT, "The type of unit of work."),
    displayed("EXTURID", ANY_TEXT, "The external identifier of the unit of work."),
    displayed("QMURID", ANY_TEXT, "The identifier of the unit of work."),
    displayed(
        "UOWSTATE",
        ANY_TEXT,
        "The state of the unit of work: NONE, ACTIVE, or PREPARED if it is in doubt.",
    ),
    displayed("CONNTAG", ANY_TEXT, "The connection tag."),
    displayed("DEST", NAME, "The destination queue of the subscription."),
    displayed("DESTQMGR", NAME, "The queue manager of the destination queue."),
    displayed("SUBID", ANY_TEXT, "The identifier of the subscription."),
    displayed("SUBNAME", ANY_TEXT, "The name of the subscription."),
    displayed("TOPICSTR", ANY_TEXT, "The topic string that the handle opened."),
    displayed("DEFREADA", ANY_TEXT, "Whether read ahead is the default."),
    displayed("ASID", ANY_TEXT, "The address space."),
    displayed("NID", ANY_TEXT, "The network identifier."),
    displayed("PSBNAME", ANY_TEXT, "The program specification block."),
    displayed("PSTID", ANY_TEXT, "The region."),
    displayed("QSGDISP", ANY_TEXT, "The queue-sharing group disposition of the object."),
    displayed("TASKNO", ANY_TEXT, "The task."),
    displayed("TRANSID", ANY_TEXT, "The transaction."),
)
CONN = make_kind(
    "CONN",
    Shaped(r"[0-9A-Fa-f]{0,16}", "16 hexadecimal digits"),
    _OF_CONN,
    key=("CONN", "EXTCONN", "TYPE"),
    heading_id="AMQ8276I",
    heading="Display Connection details.",
)

_OF_APSTATUS = (
    displayed("CLUSTER", NAME, "The uniform cluster in which the application is balanced."),
    displayed("COUNT", COUNT, "Instances of the application."),
    displayed("MOVCOUNT", COUNT, "Instances that can be moved."),
    displayed("BALANCED", ANY_TEXT, "Whether the application is spread evenly."),
    displayed("TYPE", ANY_TEXT, "The type of the row: APPL, QMGR or LOCAL."),
    displayed("ACTIVE", ANY_TEXT, "Whether the queue manager takes part."),
    displayed("QMNAME", NAME, "The queue manager."),
    displayed("QMID", ANY_TEXT, "The identifier of the queue manager."),
    displayed("LMSGDATE", DATE, "The date of the last information from the queue manager."),
    displayed("LMSGTIME", TIME, "The time of the last information from the queue manager."),
    displayed("BALSTATE", ANY_TEXT, "The state of balancing."),
    displayed("CONNTAG", ANY_TEXT, "The connection tag of the instance."),
    displayed("CONNS", COUNT, "Connections of the instance."),
    displayed("IMMCOUNT", COUNT, "How often the instance could not be moved."),
    displayed("IMMDATE", DATE, "The date until which the instance cannot be moved."),
    displayed("IMMREASN", ANY_TEXT, "The reason why the instance cannot be moved."),
    displayed("IMMTIME", TIME, "The time until which the instance cannot be moved."),
    displayed("MOVABLE", YES_OR_NO, "Whether the instance can be moved."),
    displayed("BALOPTS", ANY_TEXT, "The balancing options."),
    displayed("BALTMOUT", ANY_TEXT, "The timeout of balancing."),
    displayed("BALTYPE", ANY_TEXT, "The type of balancing."),
)
APSTATUS = make_kind(
    "APSTATUS",
    Text(48),
    _OF_APSTATUS,
    key=("APPLNAME",),
    heading_id="AMQ8932I",
    heading="Display application status details.",
)
