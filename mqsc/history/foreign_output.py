"""Events of the history in the shape of IBM's sample amqsevt.

For amqsevt, each kind is assigned to the event queue on which MQ reports something of that sort, to
its type and its reason.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from mqsc.console.parameters import iso
from mqsc.console.terminal import printable
from mqsc.console.text.reasons import name_of_code
from mqsc.history.event_text import EVENT_KINDS, TIMES, detail_of, value_text
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
