"""Events of the history in the shapes of others: IBM's sample amqsevt, Elastic Common Schema,
OpenTelemetry logs.

For amqsevt, each kind is assigned to the event queue on which MQ reports something of that sort, to
its type and its reason.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from mqsc.console.parameters import iso
from mqsc.console.terminal import printable
from mqsc.console.text.reasons import name_of_code
from mqsc.history.event_text import (
    EVENT_KINDS,
    TIMES,
    detail_of,
    facts_of,
    row_of,
    value_text,
    what_happened,
)
from mqsc.store.constants import MQCMD, MQRC
from mqsc.store.environment import MICROSECONDS
from mqsc.store.rules.event_message import EVENT_QUEUES
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.store.table import cells

# The value of each line begins in this column.
COLUMN = 31
HUNDREDTH = MICROSECONDS // 100


class EventType(NamedTuple):
    """A type of event message: its number and name, and the queue that MQ puts such messages on."""

    number: int
    name: str
    queue: str


_ACTIVITY = EventType(
    int(MQCMD.ACTIVITY_TRACE),
    "Activity Trace",
    "SYSTEM.ADMIN.TRACE.ACTIVITY.QUEUE",
)
_CHANNEL_REASONS: Mapping[str | None, int] = {
    "bound": int(MQRC.CHANNEL_STARTED),
    "stopped": int(MQRC.CHANNEL_STOPPED_BY_USER),
    **dict.fromkeys(("ended", "retry", "failed"), int(MQRC.CHANNEL_STOPPED)),
}
# The columns of the history in amqsevt's words, in order.
_LABELS = {
    column: label
    for column, label, _ in cells(
        __file__, "foreign_labels.csv", ("column", "amqsevt", "opentelemetry")
    )
    if label
}
_OTHER_LABELS: Mapping[int, Mapping[str, str]] = {
    MQCMD.CONFIG_EVENT: {"queue": "Object Name", "target": "Object Type"},
    MQCMD.CHANNEL_EVENT: {"queue": "Xmit Queue Name", "target": "Channel Name"},
}


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
    """An event in the shape of amqsevt's JSON."""
    type_, reason = _type_and_reason(event)
    return {
        "eventSource": {"objectName": type_.queue, "objectType": "Queue", "queueMgr": event.qmgr},
        "eventType": {"name": type_.name, "value": type_.number},
        "eventReason": {"name": _reason_name(reason), "value": reason},
        "eventCreation": {
            "timeStamp": iso(event.at - event.at % MICROSECONDS),
            "epoch": event.at // MICROSECONDS,
        },
        "eventData": {_camel_case(label): value for label, value in _data(event)},
    }


def _type_and_reason(event: TracedEvent) -> tuple[EventType, int]:
    row = EVENT_KINDS.get(event.kind)
    if row is None or not row.event_type:
        # An activity has the reason that is in the history.
        return _ACTIVITY, event.reason or 0
    number, reason = int(MQCMD[row.event_type]), int(MQRC[row.reason])
    type_ = EventType(number, _in_words(row.event_type), EVENT_QUEUES[number])
    return type_, _CHANNEL_REASONS.get(event.cause, reason) if event.kind == "CHANNEL" else reason


def _reason_name(reason: int) -> str:
    """A reason as amqsevt writes it: `Queue Full` for MQRC_Q_FULL."""
    named = name_of_code(reason)
    return _in_words(named[0].partition("_")[2] if named else "UNKNOWN")


def _in_words(name: str) -> str:
    return " ".join("Queue" if word == "Q" else word.capitalize() for word in name.split("_"))


def _created(at: int) -> str:
    moment = datetime.fromtimestamp(at // MICROSECONDS, UTC)
    return f"{moment:%Y/%m/%d %H:%M:%S}.{at % MICROSECONDS // HUNDREDTH:02} GMT"


def _data(event: TracedEvent) -> Iterator[tuple[str, Any]]:
    """The labels and values of the event's columns; ids in hexadecimal, times in ISO format."""
    type_, _ = _type_and_reason(event)
    own = _OTHER_LABELS.get(type_.number, {})
    for name, label in _LABELS.items():
        value = getattr(event, name)
        if value in (None, ""):
            continue
        if isinstance(value, bytes):
            value = value.hex().upper()
        yield own.get(name, label), iso(value) if name in TIMES else value
    for key, value in detail_of(event).items():
        if value is not None:
            yield key if key.isupper() else key.replace("_", " ").title(), value


def _camel_case(label: str) -> str:
    """A label as a key of JSON: `queueMgrName`. A keyword of MQSC stays as it is."""
    if label.isupper():
        return label
    first, *others = label.split(" ")
    return "".join([first[:1].lower() + first[1:], *others])


# As records of logs, for Elastic Common Schema 8 and for OpenTelemetry.

_ECS_VERSION = "8.17.0"
_WARNINGS = frozenset({"DEAD_LETTER", "DISCARD", "TRIGGER_LOST", "REPORT_LOST"})
_FAILURES = frozenset({"REFUSE"})
# The severities of messages in the words of ECS, and in the words and numbers of OpenTelemetry.
_LEVELS = {
    "I": ("info", "INFO", 9),
    "W": ("warning", "WARN", 13),
    "E": ("error", "ERROR", 17),
    "S": ("critical", "FATAL", 21),
}
# The columns that OpenTelemetry has names for, and those names.
_SEMANTIC = {
    column: semantic
    for column, _, semantic in cells(
        __file__, "foreign_labels.csv", ("column", "amqsevt", "opentelemetry")
    )
    if semantic
}


def ecs_row(event: TracedEvent) -> dict[str, Any]:
    """An event as a document of Elastic Common Schema; `mqsc` has all its columns."""
    about = {"kind": "event", "module": "mqsc", "dataset": "mqsc.history"}
    action = event.kind.lower().replace("_", "-")
    outcome = "success" if _severity(event) in "IW" else "failure"
    row: dict[str, Any] = {
        "@timestamp": iso(event.at),
        "ecs": {"version": _ECS_VERSION},
        "message": _sentence(event),
        "event": {**about, "action": action, "sequence": event.seq, "outcome": outcome},
        "log": {"level": _LEVELS[_severity(event)][0]},
        "service": {"name": event.qmgr, "type": "ibmmq"},
        "mqsc": {name: value for name, value in row_of(event).items() if value is not None},
    }
    others = {
        "user": ("name", event.user),
        "process": ("name", event.application),
        "host": ("name", event.detail.get("host")),
        "error": ("code", str(event.reason or "")),
    }
    return row | {name: {field: value} for name, (field, value) in others.items() if value}


def otlp_row(event: TracedEvent) -> dict[str, Any]:
    """An event as OTLP in JSON: a request with one log record, as collectors read them line by
    line.
    """
    _, text, number = _LEVELS[_severity(event)]
    columns = {_SEMANTIC.get(name, f"mqsc.{name}"): value for name, value in row_of(event).items()}
    record = {
        "timeUnixNano": str(event.at * 1_000),
        "severityNumber": number,
        "severityText": text,
        "eventName": f"mqsc.{event.kind.lower()}",
        "body": {"stringValue": _sentence(event)},
        "attributes": [
            _attribute(name, value) for name, value in columns.items() if value not in (None, "")
        ],
    }
    about = {"service.name": event.qmgr, "messaging.system": "ibmmq"}
    resource = {"attributes": [_attribute(name, value) for name, value in about.items()]}
    return {
        "resourceLogs": [
            {
                "resource": resource,
                "scopeLogs": [{"scope": {"name": "mqsc"}, "logRecords": [record]}],
            },
        ],
    }


def _sentence(event: TracedEvent) -> str:
    return "; ".join((what_happened(event), *facts_of(event)))


def _severity(event: TracedEvent) -> str:
    """The severity of the message that the event is, else of its kind: I, W, E or S."""
    written = event.detail.get("severity")
    if written:
        return str(written) if written in _LEVELS else "S"
    is_failure = event.kind in _FAILURES or (event.kind == "CHANNEL" and event.cause == "failed")
    return "E" if is_failure else "W" if event.kind in _WARNINGS else "I"


def _attribute(name: str, value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        typed: dict[str, Any] = {"boolValue": value}
    elif isinstance(value, int):
        # Numbers of 64 bits are texts in the JSON of protocol buffers.
        typed = {"intValue": str(value)}
    elif isinstance(value, Mapping):
        typed = {"kvlistValue": {"values": [_attribute(key, each) for key, each in value.items()]}}
    elif isinstance(value, list):
        typed = {"arrayValue": {"values": [_attribute("", each)["value"] for each in value]}}
    else:
        typed = {} if value is None else {"stringValue": str(value)}
    return {"key": name, "value": typed}
