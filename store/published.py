"""What the store publishes to programs that read its file: the history, and the messages still on queues.

A relation is a table or view with documented columns and a key that only grows. To add an event, add its kind below; to
add a cause, add a row to its kind. Nothing that the store has written may be removed (design §2.3). This module imports
no database library.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from store import constants


class PublishedColumn(NamedTuple):
    """A published column: its name, its SQLite type (INTEGER, TEXT or BLOB) and what it holds."""

    name: str
    type: str
    doc: str


class Relation(NamedTuple):
    """A table or view: its name in SQLite, the key column by which readers split it into ranges, and its columns."""

    name: str
    table: str
    key: str
    columns: tuple[PublishedColumn, ...]


class EventKind(NamedTuple):
    """A kind of event: what happened, the possible causes, and the keys of its `detail`.

    The `cause` of an event is one of `causes`, or NULL for the ordinary one (a command or a plain call).
    """

    name: str
    doc: str
    causes: Mapping[str, str]
    detail: Mapping[str, str]


class Bound(NamedTuple):
    """The last rows that a report reads, determined once by the process that has the store open.

    `seq` and `message` are the last event and message, 0 if there is none. `now` is the time of each queue manager's
    and each queue-sharing group's clock in microseconds UTC, which decides whether a message has expired. `frozen` is a
    file with the MUTABLE relations as they were after the event `seq`; blank if they are to be read from the store.
    """

    seq: int
    message: int
    now: Mapping[str, int]
    frozen: str = ""


EVENT_COLUMNS = (
    PublishedColumn("seq", "INTEGER", "Number of the event in commit order; gapless and never reused."),
    PublishedColumn(
        "at", "INTEGER", "Time of the event by the queue manager's clock, microseconds UTC; may run backwards."
    ),
    PublishedColumn("qmgr", "TEXT", "The queue manager, or the queue-sharing group that owns a shared queue."),
    PublishedColumn("kind", "TEXT", "What happened; one of KINDS."),
    PublishedColumn("cause", "TEXT", "Why it happened: one of the causes of the kind, or NULL for the ordinary cause."),
    PublishedColumn(
        "queue", "TEXT", "The queue that the event is about; for DEFINE, ALTER and DELETE the object; NULL if none."
    ),
    PublishedColumn(
        "target", "TEXT", "The queue that a message went to, or the type of the object; NULL if there is none."
    ),
    PublishedColumn(
        "msg_id", "BLOB", "MsgId of the message, 24 bytes; where one message causes another, that of the new one."
    ),
    PublishedColumn(
        "correl_id", "BLOB", "CorrelId of that message, 24 bytes; NULL stands for 24 zero bytes or no message."
    ),
    PublishedColumn("priority", "INTEGER", "Priority of the message, 0 to 9."),
    PublishedColumn("persistence", "INTEGER", "1 for a persistent message, 0 for a non-persistent one."),
    PublishedColumn("length", "INTEGER", "Bytes of message data."),
    PublishedColumn("put_at", "INTEGER", "When the message was put, microseconds UTC."),
    PublishedColumn("expires_at", "INTEGER", "When the message expires, microseconds UTC; NULL if it never does."),
    PublishedColumn("put_application", "TEXT", "PutApplName: the application that put the message."),
    PublishedColumn("put_user", "TEXT", "UserIdentifier: the user that put the message."),
    PublishedColumn("unit", "INTEGER", "The unit of work that the event belongs to; NULL outside one."),
    PublishedColumn("connection", "INTEGER", "The connection that caused the event; NULL for a scan or a restart."),
    PublishedColumn(
        "application", "TEXT", "The application that caused the event; blank for a scan every EXPRYINT seconds."
    ),
    PublishedColumn("user", "TEXT", "The user that caused the event; blank for a scan every EXPRYINT seconds."),
    PublishedColumn(
        "reason",
        "INTEGER",
        "The MQRC of a failure, the feedback of a report (258 for expiration), the Reason of a dead letter, or NULL.",
    ),
    PublishedColumn(
        "rule", "TEXT", "The line of a rules table, trigger condition or model queue that decided; NULL if none did."
    ),
    PublishedColumn(
        "detail",
        "TEXT",
        "A JSON object with the keys that the kind documents, or NULL; of a shared queue also `member`.",
    ),
)

PENDING_COLUMNS = (
    PublishedColumn("id", "INTEGER", "Number of the message in the store; a later message has a greater one."),
    PublishedColumn("qmgr", "TEXT", "The queue manager, or the queue-sharing group that owns a shared queue."),
    PublishedColumn("queue", "TEXT", "The local queue that holds the message."),
    PublishedColumn("msg_id", "BLOB", "MsgId, 24 bytes."),
    PublishedColumn("correl_id", "BLOB", "CorrelId, 24 bytes; NULL stands for 24 zero bytes."),
    PublishedColumn("priority", "INTEGER", "Priority, 0 to 9."),
    PublishedColumn("persistence", "INTEGER", "1 for a persistent message, 0 for a non-persistent one."),
    PublishedColumn("length", "INTEGER", "Bytes of message data."),
    PublishedColumn("put_at", "INTEGER", "When it was put, microseconds UTC."),
    PublishedColumn("expires_at", "INTEGER", "When it expires, microseconds UTC; NULL if it never does."),
    PublishedColumn("put_application", "TEXT", "PutApplName: the application that put it."),
    PublishedColumn("put_user", "TEXT", "UserIdentifier: the user that put it."),
    PublishedColumn("state", "TEXT", "AVAILABLE, or PUT or GOT by a unit of work that is still open."),
)

EVENT = Relation("event", "event", "seq", EVENT_COLUMNS)
PENDING = Relation("pending", "published_message", "id", PENDING_COLUMNS)
RELATIONS: Mapping[str, Relation] = {relation.name: relation for relation in (EVENT, PENDING)}
# The relations whose rows later calls change or remove.
MUTABLE = tuple(relation for relation in RELATIONS.values() if relation is not EVENT)

_TRIGGERED = {
    "put": "A message arrived, or became visible at a commit.",
    "interval": "A message arrived after TRIGINT had passed.",
    "close": "The last handle open for input was closed while the queue held messages.",
    "alter": "A trigger attribute of the queue was changed.",
    "initq-enabled": "The initiation queue was enabled for put.",
    "get-enabled": "The queue was enabled for get.",
    "monitor-opened": "The initiation queue was opened for input.",
}
_TRIGGER_DETAIL = {
    "process": "The process that it names; blank for a transmission queue without one.",
    "type": "TRIGTYPE in force: FIRST, EVERY or DEPTH.",
    "conditions": "One text per condition, with the values that satisfied it; `rule` names the condition on counts.",
    "loop": "How many triggers in a row came from a close without the depth falling; absent outside such a loop.",
}
_REPORTED = {
    "expiration": "The message was discarded because it had expired.",
    "coa": "The message arrived (confirm on arrival).",
    "cod": "The message was got (confirm on delivery).",
    "exception": "A consumer dead-lettered or discarded it, because it had been backed out too often.",
}
_REPORT_DETAIL = {
    "original": "MsgId of the original message, hexadecimal.",
    "data": "How much of its data the report was to carry: plain, data or full.",
}
_DEAD_LETTER_MOVED = {
    "handler": "A rule of the dead-letter handler decided.",
    "command": "A user asked for it with a command.",
}
_HEADER_DETAIL = {
    "destination": "DestQName of the dead-letter header: the queue that the message was meant for.",
    "destination_queue_manager": "DestQMgrName of the dead-letter header.",
}
_DEAD_LETTER_DETAIL = {
    "destination": "DestQName of its dead-letter header, or without one the queue that it was moved from before.",
    "destination_queue_manager": "The queue manager of that queue; blank for the local one.",
    "attempt": "How many attempts the handler has made, including this one.",
}
# Of messages that a consumer dealt with because they had reached their backout threshold.
_POISON = {"poison": "A consumer decided, because the message had been backed out too often (BOTHRESH)."}
_POISON_DETAIL = {
    "backout_count": "Of a poison message: its BackoutCount.",
    "threshold": "Of a poison message: BOTHRESH of its queue.",
    "backout_queue": "Of a poison message: BOQNAME of its queue; blank if it names none.",
    "backout_queue_reason": "Of a poison message: the MQRC with which that queue refused it, -2 if it leads back.",
}

# Of messages that a channel could not deliver.
_CHANNEL = {"channel": "A channel could not put it on the queue that it was meant for."}
_CHANNEL_DETAIL = {
    "partner": "The queue manager at the other end.",
    "role": "The end of the channel that the event is about: sender or receiver.",
    "message": "The message with which the channel reported it: AMQ number and text.",
    "luwid": "The logical unit of work identifier of the batch, hexadecimal.",
    "sequence": "The sequence number of the last message of the batch.",
    "messages": "How many messages the batch had, with the fast ones.",
    "bytes": "How many bytes of message data the batch had.",
    "fast": "How many messages of the batch were fast: non-persistent, outside its unit of work.",
    "waited_ms": "Milliseconds from put to arrival, added up over the messages of the batch; at the receiver.",
    "longest_ms": "The longest time from put to arrival of a message of the batch, milliseconds; at the receiver.",
    "decision": "How the batch was resolved: commit or backout.",
    "attempt": "How many attempts have failed in a row, including this one.",
    "retry_at": "When the next attempt is due, microseconds UTC.",
}


def _kind(
    name: str, doc: str, causes: Mapping[str, str] | None = None, detail: Mapping[str, str] | None = None
) -> EventKind:
    return EventKind(name, doc, causes or {}, detail or {})


_DISPOSITION_DETAIL = {"disposition": "COPY or GROUP; absent for an object of another QSGDISP."}
_LOST_DETAIL = {
    "dead_letter_queue": "The dead-letter queue, if it refused the message too.",
    "dead_letter_reason": "The MQRC with which it refused.",
}

_KINDS = (
    _kind("CREATE", "A queue manager was created."),
    _kind(
        "JOIN",
        "A queue manager became a member of the queue-sharing group in target.",
        {},
        {"number": "Its number in the group."},
    ),
    _kind("LEAVE", "A queue manager left the queue-sharing group in target."),
    _kind(
        "OWNER",
        "The member in target scans the shared queues of the group from now on, or no member if it is NULL.",
        {
            "start": "It was started with EXPRYINT set, and no member scanned them.",
            "alter": "EXPRYINT of a member was set or switched off.",
            "end": "The member that scanned them ended.",
            "takeover": "No `mqsc serve` ran for the member that scanned them.",
        },
        {"from": "The member that scanned them before; absent if none did."},
    ),
    _kind(
        "REFUSE",
        "A program was not admitted to the queue manager; application and user are what it said it was.",
        {"password": "CONNAUTH asks for a password, and it was missing or wrong, or nobody has that name."},
    ),
    _kind("START", "A queue manager was started."),
    _kind(
        "END",
        "A queue manager ended.",
        {"controlled": "After its last connection ended.", "immediate": "At once, breaking its connections."},
    ),
    _kind(
        "PUT",
        "A message was put on a queue (not with ACCTQ(OFF)); reason and detail are those of a dead-letter header.",
        {"stream": "It is the copy of a message that was put on a queue with STREAMQ."},
        {
            **_HEADER_DETAIL,
            "message_number": "Of a message with a dead-letter header: its number in the store, as in `pending`; absent"
            " in events of older versions.",
        },
    ),
    _kind(
        "GET",
        "A message was got (not with ACCTQ(OFF)).",
        {},
        {"mark": "Whether MQGMO_MARK_SKIP_BACKOUT was given: `skip backout`."},
    ),
    _kind("COMMIT", "A unit of work was committed (not with ACCTQ(OFF))."),
    _kind(
        "BACKOUT",
        "A unit of work was backed out.",
        {
            "application": "The application asked for it.",
            "abend": "The program ended without disconnecting.",
            "broken": "The connection was broken (2009).",
            "restart": "The queue manager started again.",
            "poison": "A consumer could not move a message that had reached its backout threshold, and kept it.",
            "resolved": "It was in doubt, and was resolved by backing it out.",
        },
        {
            "<queue>": "How many puts and gets were undone, as {puts, gets}.",
            "skipped message": "The message that skipped the backout, with its unit from now on, as {msg_id, unit}.",
            "kept message": "The message that a consumer kept, as {queue, msg_id} and the detail of a poison message.",
        },
    ),
    _kind(
        "EXPIRE",
        "An expired message was discarded.",
        {
            "get": "A get would have chosen it.",
            "browse": "A browse would have chosen it.",
            "interval": "The scan every EXPRYINT seconds found it.",
            "refresh": "REFRESH QMGR TYPE(EXPIRY) found it.",
            "restart": "The queue manager started again.",
            "handler": "The dead-letter handler found it.",
            "channel": "A channel found it on the way to its destination.",
        },
        {
            "report": "The expiration report that it asked for: plain, data or full; absent if it asked for none.",
            "application": "Behind a transmission header: PutApplName of the message as it was sent.",
            "length": "Behind a transmission header: bytes of message data as it was sent.",
        },
    ),
    _kind(
        "DISCARD",
        "A message was discarded.",
        {
            **_DEAD_LETTER_MOVED,
            **_POISON,
            "nonpersistent": "It was not persistent and the queue manager started again.",
            **_CHANNEL,
        },
        {**_DEAD_LETTER_DETAIL, **_POISON_DETAIL, **_LOST_DETAIL},
    ),
    _kind("TRIGGER", "A trigger message was put on the initiation queue.", _TRIGGERED, _TRIGGER_DETAIL),
    _kind(
        "TRIGGER_LOST", "A trigger message could not be put anywhere.", _TRIGGERED, {**_TRIGGER_DETAIL, **_LOST_DETAIL}
    ),
    _kind(
        "DEAD_LETTER",
        "A message was put on the dead-letter queue.",
        {
            **_TRIGGERED,
            **_REPORTED,
            "monitor": "The trigger monitor could not start the program.",
            **_POISON,
            **_CHANNEL,
            "command": "The command server could not put a response to its queue, or could not answer the message.",
        },
        {
            **_TRIGGER_DETAIL,
            **_POISON_DETAIL,
            "put_event": "The number of the PUT event about the same put; 0 if the dead-letter queue records no puts, "
            "absent in events of older versions.",
            "target_owner": "Of a poison message: the queue manager or queue-sharing group of the target; absent if it "
            "is that in qmgr.",
        },
    ),
    _kind(
        "REQUEUE",
        "A message was moved from the dead-letter queue to the queue that it was meant for, or to a backout queue.",
        {**_DEAD_LETTER_MOVED, **_POISON},
        {**_DEAD_LETTER_DETAIL, **_POISON_DETAIL},
    ),
    _kind(
        "FORWARD",
        "A message was moved from the dead-letter queue to another queue.",
        _DEAD_LETTER_MOVED,
        _DEAD_LETTER_DETAIL,
    ),
    _kind(
        "REPORT",
        "A report message was put; queue is that of the original message, target is the reply queue.",
        _REPORTED,
        _REPORT_DETAIL,
    ),
    _kind("REPORT_LOST", "A report message could not be put anywhere.", _REPORTED, {**_REPORT_DETAIL, **_LOST_DETAIL}),
    _kind(
        "CLEAR",
        "Messages were removed from a queue by CLEAR, or together with their queue.",
        {
            "purge": "The queue was deleted with its messages.",
            "dynamic": "The dynamic queue was closed.",
            "channel": "The channel that the messages recorded was deleted.",
        },
        {"messages": "How many.", "got": "How many of them a unit of work had got already; absent for none."},
    ),
    _kind(
        "MOVE",
        "Messages were moved between queues by MOVE QLOCAL.",
        {},
        {
            "messages": "How many.",
            "target_owner": "The queue manager or queue-sharing group of the target; absent if it is that in qmgr.",
        },
    ),
    _kind(
        "DEFINE",
        "An object was defined; detail has its subtype and what differs from the defaults: keyword to [null, value].",
        {
            "dynamic": "A model queue was opened.",
            "create": "It was created with its queue manager.",
            "refresh": "The copy of an object of the queue-sharing group, because that was defined or changed.",
        },
        _DISPOSITION_DETAIL,
    ),
    _kind(
        "ALTER",
        "An object was changed; detail has keyword to [before, after], or is NULL if nothing differs.",
        {
            "replace": "DEFINE with REPLACE.",
            "refresh": "A copy follows its object of the queue-sharing group.",
            "leave": "A copy that could not go became the queue manager's own, because that left its group.",
        },
        _DISPOSITION_DETAIL,
    ),
    _kind(
        "SET",
        "A value was set other than by DEFINE or ALTER; detail as for ALTER.",
        {
            "application": "Attributes of a queue by MQSET.",
            "depth": "A trigger of type DEPTH switched TRIGGER off.",
            "command": "A record by SET CHLAUTH or SET AUTHREC.",
            "channel": "GET and TRIGGER of a transmission queue, when its channel was stopped or started.",
            "reset": "Statistics by RESET QSTATS, or a message number by RESET CHANNEL.",
        },
        {"record": "Of a record that was changed: the attributes that tell it from others of its profile."},
    ),
    _kind(
        "DELETE",
        "An object was deleted; detail has its subtype and what differed from the defaults: keyword to [value, null].",
        {
            "dynamic": "The dynamic queue was closed.",
            "refresh": "A copy, because its object of the queue-sharing group was deleted.",
            "leave": "A copy, because its queue manager left its queue-sharing group.",
        },
        {"messages": "How many messages were removed with it.", **_DISPOSITION_DETAIL},
    ),
    _kind("OPEN", "An object was opened.", {}, {"handle": "Number of the handle.", "options": "MQOO options."}),
    _kind("CLOSE", "A handle was closed.", {}, {"handle": "Number of the handle."}),
    _kind("RECOVER", "The work of a dead process was backed out and its handles were closed."),
    _kind(
        "PROGRAM",
        "A trigger monitor started a program, or it ended.",
        {"started": "It was started.", "ended": "It ended.", "failed": "It could not be started."},
        {
            "process": "The process that the trigger message names.",
            "program": "The command that was, or should have been, started.",
            "process_id": "Number of the operating system's process.",
            "exit_status": "Its exit status; negative is the signal that ended it.",
            "run_time": "How long it ran, microseconds of real time.",
            "timed_out": "Whether the monitor ended it because it ran too long.",
            "why": "Why it could not be started.",
        },
    ),
    _kind(
        "CHANNEL",
        "A channel changed its state; queue is the transmission queue, blank at a receiver, and target the channel.",
        {
            "starting": "It began to start.",
            "bound": "Both ends agreed on how they work, and it is running.",
            "batch": "A batch was committed at this end.",
            "in-doubt": "The connection was lost before the sender knew whether the receiver had committed the batch.",
            "resolved": "A batch in doubt was committed or backed out.",
            "retry": "It failed, and will be started again.",
            "ended": "It ended normally.",
            "stopped": "It was stopped by a command, or after its last retry.",
            "failed": "It ended because of an error.",
        },
        _CHANNEL_DETAIL,
    ),
    _kind(
        "CLOCK",
        "The manual clock was moved.",
        {"advance": "Forward by a duration.", "set": "To a point in time."},
        {"from": "What it showed before, microseconds UTC.", "to": "What it shows since, microseconds UTC."},
    ),
)
KINDS: Mapping[str, EventKind] = {kind.name: kind for kind in _KINDS}


def reason_names() -> dict[int, str]:
    """The names of the codes in `reason`, in the history and in a dead-letter header: MQRC, else MQFB."""
    families = {"MQFB": constants.MQFB, "MQRC": constants.MQRC}
    return {int(code): f"{family}_{code.name}" for family, codes in families.items() for code in codes}
