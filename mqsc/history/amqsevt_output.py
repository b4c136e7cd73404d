"""Events of the history in the shape of IBM's sample amqsevt, as text and as JSON.

Each kind is assigned to the event queue on which MQ reports something of that sort, to its type and its reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from mqsc.console.parameter_types import iso
from mqsc.console.terminal import printable
from mqsc.console.text.reasons import name_of_code
from mqsc.history.event_text import detail_of, value_text
from store.constants import MQCMD, MQRC
from store.environment import MICROSECONDS
from store.rules.event_message import CHANNEL, COMMAND, CONFIGURATION, EVENT_QUEUES, QUEUE_MANAGER
from store.rules.message_trace import TracedEvent

# The value of each line begins in this column.
COLUMN = 31
HUNDREDTH = MICROSECONDS // 100


class EventType(NamedTuple):
    """A type of event message: its number and name, and the queue that MQ puts such messages on."""

    number: int
    name: str
    queue: str


_CONFIG = EventType(CONFIGURATION, "Config Event", EVENT_QUEUES[CONFIGURATION])
_QMGR = EventType(QUEUE_MANAGER, "Queue Mgr Event", EVENT_QUEUES[QUEUE_MANAGER])
_CHANNEL = EventType(CHANNEL, "Channel Event", EVENT_QUEUES[CHANNEL])
_COMMAND = EventType(COMMAND, "Command Event", EVENT_QUEUES[COMMAND])
_ACTIVITY = EventType(int(MQCMD.ACTIVITY_TRACE), "Activity Trace", "SYSTEM.ADMIN.TRACE.ACTIVITY.QUEUE")
_NONE = int(MQRC.NONE)

# Every other kind is an activity, whose reason is the one that the history has.
_TYPES: Mapping[str, tuple[EventType, int]] = {
    "CREATE": (_QMGR, _NONE),
    "JOIN": (_QMGR, _NONE),
    "LEAVE": (_QMGR, _NONE),
    "OWNER": (_QMGR, _NONE),
    "REFUSE": (_QMGR, int(MQRC.NOT_AUTHORIZED)),
    "START": (_QMGR, int(MQRC.Q_MGR_ACTIVE)),
    "END": (_QMGR, int(MQRC.Q_MGR_NOT_ACTIVE)),
    "DEFINE": (_CONFIG, int(MQRC.CONFIG_CREATE_OBJECT)),
    "ALTER": (_CONFIG, int(MQRC.CONFIG_CHANGE_OBJECT)),
    "SET": (_CONFIG, int(MQRC.CONFIG_CHANGE_OBJECT)),
    "DELETE": (_CONFIG, int(MQRC.CONFIG_DELETE_OBJECT)),
    "CLEAR": (_COMMAND, int(MQRC.COMMAND_MQSC)),
    "MOVE": (_COMMAND, int(MQRC.COMMAND_MQSC)),
    "CLOCK": (_COMMAND, int(MQRC.COMMAND_MQSC)),
    "CHANNEL": (_CHANNEL, _NONE),
}
_CHANNEL_REASONS: Mapping[str | None, int] = {
    "bound": int(MQRC.CHANNEL_STARTED),
    "ended": int(MQRC.CHANNEL_STOPPED),
    "retry": int(MQRC.CHANNEL_STOPPED),
    "failed": int(MQRC.CHANNEL_STOPPED),
    "stopped": int(MQRC.CHANNEL_STOPPED_BY_USER),
}
# The columns of the history in amqsevt's words, in order.
_LABELS: Mapping[str, str] = {
    "qmgr": "Queue Mgr Name",
    "queue": "Queue Name",
    "target": "Target Name",
    "application": "Appl Name",
    "user": "User Identifier",
    "msg_id": "Msg Id",
    "correl_id": "Correl Id",
    "priority": "Priority",
    "persistence": "Persistence",
    "length": "Msg Length",
    "put_at": "Put Time",
    "expires_at": "Expiry Time",
    "put_application": "Put Appl Name",
    "put_user": "Put User Identifier",
    "unit": "Unit Of Work",
    "connection": "Connection",
    "rule": "Rule",
    "kind": "History Kind",
    "cause": "History Cause",
    "seq": "History Seq",
    "at": "History Time",
}
_OTHER_LABELS: Mapping[EventType, Mapping[str, str]] = {
    _CONFIG: {"queue": "Object Name", "target": "Object Type"},
    _CHANNEL: {"queue": "Xmit Queue Name", "target": "Channel Name"},
}
_TIMES = frozenset({"at", "put_at", "expires_at"})


def text_lines(number: int, event: TracedEvent) -> Iterator[str]:
    """The lines of an event, the `number`th of the output, with an empty one after it."""
    type_, reason = _type_and_reason(event)
    yield f"**** Message #{number} ({event.length or 0} Bytes) on Queue {type_.queue} ****"
    yield f"{'Event Type':<{COLUMN}}: {type_.name} [{type_.number}]"
    yield f"{'Reason':<{COLUMN}}: {_reason_name(reason)} [{reason}]"
    yield f"{'Event created':<{COLUMN}}: {_created(event.at)}"
    for label, value in _data(event):
        yield printable(f"  {label:<{COLUMN - 2}}: {value_text(value)}")
    yield ""


def json_row(event: TracedEvent) -> dict[str, Any]:
    """An event as amqsevt's JSON has it."""
    type_, reason = _type_and_reason(event)
    return {
        "eventSource": {"objectName": type_.queue, "objectType": "Queue", "queueMgr": event.qmgr},
        "eventType": {"name": type_.name, "value": type_.number},
        "eventReason": {"name": _reason_name(reason), "value": reason},
        "eventCreation": {"timeStamp": iso(event.at - event.at % MICROSECONDS), "epoch": event.at // MICROSECONDS},
        "eventData": {_camel_case(label): value for label, value in _data(event)},
    }


def _type_and_reason(event: TracedEvent) -> tuple[EventType, int]:
    type_, reason = _TYPES.get(event.kind, (_ACTIVITY, event.reason or _NONE))
    return type_, _CHANNEL_REASONS.get(event.cause, reason) if type_ is _CHANNEL else reason


def _reason_name(reason: int) -> str:
    """A reason as amqsevt writes it: `Queue Full` for MQRC_Q_FULL."""
    named = name_of_code(reason)
    words = named[0].split("_")[1:] if named else ["UNKNOWN"]
    return " ".join("Queue" if word == "Q" else word.capitalize() for word in words)


def _created(at: int) -> str:
    moment = datetime.fromtimestamp(at // MICROSECONDS, UTC)
    return f"{moment:%Y/%m/%d %H:%M:%S}.{at % MICROSECONDS // HUNDREDTH:02} GMT"


def _data(event: TracedEvent) -> Iterator[tuple[str, Any]]:
    """The labels and values of what the history knows; ids in hexadecimal, times in ISO format."""
    type_, _ = _type_and_reason(event)
    own = _OTHER_LABELS.get(type_, {})
    for name, label in _LABELS.items():
        value = getattr(event, name)
        if value in (None, ""):
            continue
        if isinstance(value, bytes):
            value = value.hex().upper()
        yield own.get(name, label), iso(value) if name in _TIMES else value
    for key, value in detail_of(event).items():
        if value is not None:
            yield key if key.isupper() else key.replace("_", " ").title(), value


def _camel_case(label: str) -> str:
    """A label as a key of JSON: `queueMgrName`. A keyword of MQSC stays as it is."""
    if label.isupper():
        return label
    first, *others = label.split(" ")
    return "".join([first[:1].lower() + first[1:], *others])
