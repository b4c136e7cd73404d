"""Events as records of logs, for Elastic Common Schema 8 and for OpenTelemetry."""

from collections.abc import Mapping
from typing import Any

from mqsc.console.parameters import iso
from mqsc.history.event_text import facts_of, row_of, what_happened
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.store.table import cells

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
    columns = {semantic_name(name): value for name, value in row_of(event).items()}
    record = {
        "timeUnixNano": str(event.at * 1_000),
        "severityNumber": number,
        "severityText": text,
        "eventName": f"mqsc.{event.kind.lower()}",
        "body": {"stringValue": _sentence(event)},
        "attributes": [
            attribute(name, value) for name, value in columns.items() if value not in (None, "")
        ],
    }
    about = {"service.name": event.qmgr, "messaging.system": "ibmmq"}
    resource = {"attributes": [attribute(name, value) for name, value in about.items()]}
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
    if event.kind in _FAILURES or (event.kind == "CHANNEL" and event.cause == "failed"):
        return "E"
    return "W" if event.kind in _WARNINGS else "I"


def semantic_name(column: str) -> str:
    """The attribute of OpenTelemetry that a column of the history is."""
    return _SEMANTIC.get(column, f"mqsc.{column}")


def attribute(name: str, value: Any) -> dict[str, Any]:
    """An attribute as OTLP in JSON."""
    if isinstance(value, bool):
        typed: dict[str, Any] = {"boolValue": value}
    elif isinstance(value, int):
        # Numbers of 64 bits are texts in the JSON of protocol buffers.
        typed = {"intValue": str(value)}
    elif isinstance(value, Mapping):
        typed = {"kvlistValue": {"values": [attribute(key, each) for key, each in value.items()]}}
    elif isinstance(value, list):
        typed = {"arrayValue": {"values": [attribute("", each)["value"] for each in value]}}
    else:
        typed = {} if value is None else {"stringValue": str(value)}
    return {"key": name, "value": typed}
