"""What the store publishes to whoever reads it from outside: the history, and the messages still on queues.

A relation is a table or view with documented columns and a key that only grows. To add an event, add its kind below;
to add a cause, a row in its kind. Changes only ever add (design §2.3). Nothing here imports a database.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from store.constants import MQFB, MQRC


class PublishedColumn(NamedTuple):
    """A published column: its name, its SQLite type (INTEGER, TEXT or BLOB) and what it holds."""

    name: str
    type: str
    doc: str


class Relation(NamedTuple):
    """Something that can be read: the table or view, the column to read it in ranges by, and its columns."""

    name: str
    table: str
    key: str
    columns: tuple[PublishedColumn, ...]


class EventKind(NamedTuple):
    """A kind of event: what happened, why it may have happened, and the keys of its `detail`.

    `cause` of an event is one of `causes`, or NULL when it came about in the ordinary way (a command, a plain call).
    """

    name: str
    doc: str
    causes: Mapping[str, str]
    detail: Mapping[str, str]


class Bound(NamedTuple):
    """Up to where a report reads, taken once by the process that has the store open.

    `seq` and `message` are the last event and message (0 where there is none); `now` is the time of each queue
    manager's clock in microseconds UTC, which tells whether a message is past its expiry.
    """

    seq: int
    message: int
    now: Mapping[str, int]


EVENT_COLUMNS = (
    PublishedColumn("seq", "INTEGER", "Number of the event in commit order; never used again, numbers may be missing."),
    PublishedColumn(
        "at", "INTEGER", "When it happened by the queue manager's clock, microseconds UTC; may run backwards."
    ),
    PublishedColumn("qmgr", "TEXT", "The queue manager, or the queue-sharing group that owns a shared queue."),
    PublishedColumn("kind", "TEXT", "What happened; one of KINDS."),
    PublishedColumn(
        "cause", "TEXT", "What made it happen; one of the causes of the kind, or NULL for the ordinary way."
    ),
    PublishedColumn(
        "queue", "TEXT", "The queue it happened to, or the object for DEFINE, ALTER and DELETE; NULL where none."
    ),
    PublishedColumn(
        "target", "TEXT", "Where a message went (queue), or the type of the object; NULL where there is none."
    ),
    PublishedColumn(
        "msg_id", "BLOB", "MsgId of the message, 24 bytes; of the new message where one message makes another."
    ),
    PublishedColumn(
        "correl_id", "BLOB", "CorrelId of that message, 24 bytes; NULL stands for 24 zero bytes or no message."
    ),
    PublishedColumn("priority", "INTEGER", "Priority of the message, 0 to 9."),
    PublishedColumn("persistence", "INTEGER", "1 for a persistent message, 0 for one that is not."),
    PublishedColumn("length", "INTEGER", "Bytes of message data."),
    PublishedColumn("put_at", "INTEGER", "When the message was put, microseconds UTC."),
    PublishedColumn(
        "expires_at", "INTEGER", "When its expiry is up, microseconds UTC; NULL for a message that never expires."
    ),
    PublishedColumn("put_application", "TEXT", "PutApplName: the application that put the message."),
    PublishedColumn("put_user", "TEXT", "UserIdentifier: the user that put the message."),
    PublishedColumn("unit", "INTEGER", "The unit of work it belongs to; NULL outside of any."),
    PublishedColumn("connection", "INTEGER", "The connection that caused the event; NULL for a scan or a restart."),
    PublishedColumn(
        "application", "TEXT", "The application that caused the event; blank for a scan that EXPRYINT makes."
    ),
    PublishedColumn("user", "TEXT", "The user that caused the event; blank for a scan that EXPRYINT makes."),
    PublishedColumn(
        "reason",
        "INTEGER",
        "MQRC of a failure, the feedback of a report (258 for expiration), Reason of a dead letter; else NULL.",
    ),
    PublishedColumn(
        "rule", "TEXT", "The rule that decided: line of a rules table, trigger condition, model queue; else NULL."
    ),
    PublishedColumn("detail", "TEXT", "A JSON object with the keys that the kind documents, or NULL."),
)

PENDING_COLUMNS = (
    PublishedColumn("id", "INTEGER", "Number of the message in the store; a later message has a greater one."),
    PublishedColumn("qmgr", "TEXT", "The queue manager, or the queue-sharing group that owns a shared queue."),
    PublishedColumn("queue", "TEXT", "The local queue that holds the message."),
    PublishedColumn("msg_id", "BLOB", "MsgId, 24 bytes."),
    PublishedColumn("correl_id", "BLOB", "CorrelId, 24 bytes; NULL stands for 24 zero bytes."),
    PublishedColumn("priority", "INTEGER", "Priority, 0 to 9."),
    PublishedColumn("persistence", "INTEGER", "1 for a persistent message, 0 for one that is not."),
    PublishedColumn("length", "INTEGER", "Bytes of message data."),
    PublishedColumn("put_at", "INTEGER", "When it was put, microseconds UTC."),
    PublishedColumn("expires_at", "INTEGER", "When its expiry is up, microseconds UTC; NULL when it never expires."),
    PublishedColumn("put_application", "TEXT", "PutApplName: the application that put it."),
    PublishedColumn("put_user", "TEXT", "UserIdentifier: the user that put it."),
    PublishedColumn("state", "TEXT", "AVAILABLE; PUT or GOT by a unit of work that is still open."),
)

EVENT = Relation("event", "event", "seq", EVENT_COLUMNS)
PENDING = Relation("pending", "published_message", "id", PENDING_COLUMNS)
RELATIONS: Mapping[str, Relation] = {relation.name: relation for relation in (EVENT, PENDING)}

_TRIGGERED = {
    "put": "A message arrived, or became visible at a commit.",
    "interval": "A message arrived after TRIGINT had gone by.",
    "close": "The last handle open for input was closed while messages were there.",
    "alter": "A trigger attribute of the queue was changed.",
    "initq-enabled": "The initiation queue was enabled for put.",
    "get-enabled": "The queue was enabled for get.",
    "monitor-opened": "The initiation queue was opened for input.",
}
_TRIGGER_DETAIL = {
    "process": "The process it names, blank where a transmission queue needs none.",
    "type": "TRIGTYPE in force: FIRST, EVERY or DEPTH.",
    "conditions": "What each condition read and found right, a text each; `rule` names the one on counts.",
    "loop": "How many in a row a close made without the depth falling; absent when there is no such loop.",
}
_REPORTED = {
    "exception": "The message could not be put where it should go.",
    "expiration": "The message was discarded past its expiry.",
    "coa": "The message arrived (confirm on arrival).",
    "cod": "The message was got (confirm on delivery).",
}
_REPORT_DETAIL = {
    "original": "MsgId of the message reported on, hexadecimal.",
    "data": "How much of its data was asked for: plain, data or full.",
}
_BY_AGENT = {
    "handler": "A rule of the dead-letter handler said so.",
    "channel": "A channel could not deliver it.",
    "poison": "Its backout count reached BOTHRESH.",
    "command": "Somebody asked for it by hand.",
}
_HEADER_DETAIL = {
    "destination": "DestQName of the dead-letter header: where it should have gone.",
    "destination_queue_manager": "DestQMgrName of the dead-letter header.",
}
_LETTER_DETAIL = {
    **_HEADER_DETAIL,
    "attempt": "How many attempts it took the handler, this one included.",
}
_ENDED = {
    "disconnect": "The application disconnected.",
    "abend": "The program ended without disconnecting.",
    "broken": "The queue manager was ended at once (2009).",
    "restart": "The queue manager started again.",
}


def _kind(
    name: str, doc: str, causes: Mapping[str, str] | None = None, detail: Mapping[str, str] | None = None
) -> EventKind:
    return EventKind(name, doc, causes or {}, detail or {})


_KINDS = (
    _kind("CREATE", "A queue manager was created."),
    _kind("START", "A queue manager was started."),
    _kind(
        "END",
        "A queue manager ended.",
        {"controlled": "After its last connection had gone.", "immediate": "At once, breaking its connections."},
    ),
    _kind(
        "PUT",
        "A message was placed on a queue (not with ACCTQ(OFF)); reason and detail are those of a dead-letter header.",
        detail=_HEADER_DETAIL,
    ),
    _kind("GET", "A message was got (not with ACCTQ(OFF))."),
    _kind("COMMIT", "A unit of work was committed (not with ACCTQ(OFF))."),
    _kind(
        "BACKOUT",
        "A unit of work was backed out.",
        {"application": "The application asked for it.", **_ENDED},
        {"<queue>": "Messages put and got that were undone, as {puts, gets}."},
    ),
    _kind(
        "EXPIRE",
        "A message past its expiry was discarded.",
        {
            "get": "A get would have chosen it.",
            "browse": "A browse would have chosen it.",
            "interval": "The scan every EXPRYINT seconds met it.",
            "refresh": "REFRESH QMGR TYPE(EXPIRY) met it.",
            "restart": "The queue manager started again.",
            "channel": "The channel got it from its transmission queue.",
            "handler": "The dead-letter handler met it.",
        },
        {"report": "The expiration report it asked for: plain, data or full; absent when it asked for none."},
    ),
    _kind(
        "DISCARD",
        "A message was thrown away.",
        {
            **_BY_AGENT,
            "nonpersistent": "It was not persistent and the queue manager started again.",
            "report-option": "MQRO_DISCARD_MSG asked for it.",
        },
        _LETTER_DETAIL,
    ),
    _kind("TRIGGER", "A trigger message was put on the initiation queue.", _TRIGGERED, _TRIGGER_DETAIL),
    _kind("TRIGGER_LOST", "A trigger message could be put nowhere.", _TRIGGERED, _TRIGGER_DETAIL),
    _kind(
        "DEAD_LETTER",
        "A message was put on the dead-letter queue.",
        {
            **_TRIGGERED,
            **_REPORTED,
            **_BY_AGENT,
            "undeliverable": "A message for another queue manager could not be passed on.",
            "monitor": "The trigger monitor could not start the program.",
        },
        _TRIGGER_DETAIL,
    ),
    _kind(
        "REQUEUE",
        "A message was moved back to where it should go, or to its backout queue.",
        _BY_AGENT,
        _LETTER_DETAIL,
    ),
    _kind("FORWARD", "A message was moved from the dead-letter queue to another queue.", _BY_AGENT, _LETTER_DETAIL),
    _kind(
        "REPORT",
        "A report message was put; queue is that of the message reported on, target the reply queue.",
        _REPORTED,
        _REPORT_DETAIL,
    ),
    _kind("REPORT_LOST", "A report message could be put nowhere.", _REPORTED, _REPORT_DETAIL),
    _kind(
        "CLEAR",
        "Messages were removed from a queue by an administrator or with their queue.",
        {"purge": "The queue was deleted with its messages.", "dynamic": "The dynamic queue was closed."},
        {"messages": "How many."},
    ),
    _kind("MOVE", "Messages were moved between queues by MOVE QLOCAL.", {}, {"messages": "How many."}),
    _kind(
        "DEFINE",
        "An object was defined; detail has its subtype and what differs from the defaults: keyword to [null, value].",
        {"dynamic": "A model queue was opened.", "create": "It came with its queue manager."},
    ),
    _kind(
        "ALTER",
        "An object was changed; detail has keyword to [before, after], or is NULL when nothing is different.",
        {"replace": "DEFINE with REPLACE."},
    ),
    _kind(
        "SET",
        "Something was set that DEFINE and ALTER do not set; detail as that of ALTER.",
        {
            "application": "Attributes of a queue by MQSET.",
            "depth": "TRIGGER went off with a trigger message of type DEPTH.",
            "command": "A record by SET CHLAUTH or SET AUTHREC.",
            "reset": "Statistics by RESET QSTATS, or a message number by RESET CHANNEL.",
        },
    ),
    _kind(
        "DELETE",
        "An object was deleted; detail has its subtype and what differed from the defaults: keyword to [value, null].",
        {"dynamic": "The dynamic queue was closed."},
        {"messages": "How many messages went with it."},
    ),
    _kind("OPEN", "An object was opened.", {}, {"handle": "Number of the handle.", "options": "MQOO options."}),
    _kind("CLOSE", "A handle was closed.", _ENDED, {"handle": "Number of the handle."}),
    _kind("RECOVER", "What a dead process left behind was backed out and closed."),
    _kind(
        "PROGRAM",
        "A trigger monitor dealt with a program.",
        {"started": "It was started.", "ended": "It ended.", "failed": "It could not be started."},
        {
            "process": "The process that the trigger message named.",
            "program": "What was started, or should have been.",
            "process_id": "Number of the operating system's process.",
            "exit_status": "Its exit status; negative is the signal that ended it.",
            "run_time": "How long it ran, microseconds of real time.",
            "timed_out": "Whether the monitor ended it because it ran too long.",
            "why": "Why it could not be started.",
        },
    ),
    _kind(
        "CHANNEL",
        "The state of a channel changed.",
        {
            "started": "It runs.",
            "stopped": "It was stopped.",
            "retrying": "It failed and tries again.",
            "ended": "It ended.",
        },
    ),
    _kind(
        "CLOCK",
        "The manual clock was moved.",
        {"advance": "Forward by a span.", "set": "To a moment."},
    ),
)
KINDS: Mapping[str, EventKind] = {kind.name: kind for kind in _KINDS}


def reason_names() -> dict[int, str]:
    """The names of the codes that `reason` holds, in the history and in a dead-letter header: MQRC, else MQFB."""
    families = {"MQFB": MQFB, "MQRC": MQRC}
    return {int(code): f"{family}_{code.name}" for family, codes in families.items() for code in codes}
