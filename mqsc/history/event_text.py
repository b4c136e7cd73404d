"""An event of the history as text and as data."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from mqsc.console.parameters import iso
from mqsc.console.text.reasons import counted, name_of_code
from mqsc.store.constants import MQOO
from mqsc.store.published import KINDS
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.store.table import cells


class EventKind(NamedTuple):
    """A row of event_words.csv.

    `what` says what happened, with places for fields of the event, `in_trace` the same as a step in
    the life of a message. `event_type` and `reason` are those that amqsevt would show, both blank
    for an activity.
    """

    what: str
    in_trace: str
    event_type: str
    reason: str


EVENT_KINDS = {
    kind: EventKind(*row)
    for kind, *row in cells(
        __file__, "event_words.csv", ("kind", "what", "in_trace", "event_type", "reason")
    )
}
_WHAT: Mapping[str, str] = {kind: row.what for kind, row in EVENT_KINDS.items()}
# Shown in place of a missing target.
_NO_TARGET: Mapping[str, str] = {"OWNER": "no member"}
# Columns that are times in microseconds UTC.
TIMES = frozenset({"at", "put_at", "expires_at"})
# Events that also name the program that put the message, which is often another one.
_REMOVALS = frozenset({"GET", "EXPIRE", "DISCARD", "DEAD_LETTER", "REQUEUE", "FORWARD"})
_DEFINITIONS = frozenset({"DEFINE", "ALTER", "SET", "DELETE"})
# So many zero bytes at the end of an identifier fill it up.
_FILLED = 4
# What an ACCESS event says, by its cause and by which of `before` and `after` it has.
_ACCESS: Mapping[tuple[str, bool, bool], str] = {
    ("user", False, True): "{after} {target} added",
    ("user", True, False): "{before} {target} removed",
    ("group", False, True): "{target} joined group {after}",
    ("group", True, False): "{target} left group {before}",
    ("password", False, False): "password of {target} changed",
    ("mode", True, True): "mode of authorities changed from {before} to {after}",
    ("os-groups", True, True): ("groups of the operating system changed from {before} to {after}"),
}
_CHANGE_OF_ACCESS = frozenset({"before", "after"})


def what_happened(event: TracedEvent) -> str:
    """An event in a few words."""
    if access := _access_words(event):
        return access.format(target=event.target, **event.detail)
    words = _WHAT.get(event.kind, event.kind.lower())
    text = words.format(
        queue=event.queue or "?",
        target=event.target or _NO_TARGET.get(event.kind, "?"),
        cause=event.cause or "?",
    )
    return f"copy of a {text}" if event.cause == "stream" else text


def facts_of(event: TracedEvent) -> Iterator[str]:
    """The other facts about an event: cause, reason, program and user, message, details."""
    # The words for a copy and for a change of access say it already.
    if event.cause and event.cause != "stream" and not _access_words(event):
        causes = KINDS[event.kind].causes if event.kind in KINDS else {}
        cause = causes.get(event.cause, event.cause).removesuffix(".")
        # Within the line it is no sentence; keywords stay as they are.
        yield cause if cause[1:2].isupper() else cause[:1].lower() + cause[1:]
    if event.reason:
        yield reason_of(event)
    if event.rule:
        yield f"rule {event.rule}"
    # Imported events may have been caused by anyone.
    if event.application or "source" not in event.detail:
        yield who(event) + (
            f", connection {event.connection}" if event.connection is not None else ""
        )
    if event.unit is not None:
        yield f"unit {event.unit}"
    yield from _of_message(event)
    yield from _of_detail(event)


def _access_words(event: TracedEvent) -> str:
    """The words for an event on users, groups and modes, with places for what changed; blank for
    another event.
    """
    if event.kind != "ACCESS":
        return ""
    detail = event.detail
    return _ACCESS.get((event.cause or "", "before" in detail, "after" in detail), "")


def _of_message(event: TracedEvent) -> Iterator[str]:
    if event.msg_id is not None:
        yield f"MsgId {short_id(event.msg_id)}"
    if event.correl_id is not None and any(event.correl_id):
        yield f"CorrelId {short_id(event.correl_id)}"
    if event.length is not None:
        persistent = " persistent" if event.persistence else ""
        yield f"{event.length}{persistent} {'byte' if event.length == 1 else 'bytes'}"
    if event.expires_at is not None:
        yield f"expires {iso(event.expires_at)}"
    if event.kind in _REMOVALS and event.put_at is not None:
        by = f" by {event.put_application}" if event.put_application else ""
        user = f", user {event.put_user}" if event.put_user else ""
        yield f"put {iso(event.put_at)}{by}{user}"


def short_id(identifier: bytes) -> str:
    """An identifier in hexadecimal without the zero bytes that fill it, as the command line takes it.

    A few zero bytes at the end belong to it: one MsgId in 256 that a queue manager makes has one.
    """
    shown = identifier.rstrip(b"\0") or identifier[:1]
    is_filled = len(identifier) - len(shown) >= _FILLED
    return (shown if is_filled else identifier).hex().upper()


def reason_of(event: TracedEvent) -> str:
    """The reason of an event, with its name."""
    return " ".join(["reason", str(event.reason), *name_of_code(event.reason or 0)])


def who(event: TracedEvent) -> str:
    """The program and the user that caused an event."""
    if event.application:
        return f"by {event.application}" + (f", user {event.user}" if event.user else "")
    return "by the queue manager"


def _destination(detail: Mapping[str, Any]) -> str:
    manager = detail.get("destination_queue_manager")
    return f"meant for {detail['destination']}" + (f" of {manager}" if manager else "")


def _batch(detail: Mapping[str, Any]) -> str:
    decision = f", {detail['decision']}" if detail.get("decision") else ""
    return f"batch {detail['luwid']} with {detail.get('partner') or 'the partner'}{decision}"


def _options(detail: Mapping[str, Any]) -> str:
    number = int(detail["options"])
    return (
        " ".join(f"MQOO_{each.name}" for each in MQOO if each and number & each == each)
        or f"options {number}"
    )


def _kept(data: Any) -> str:
    if not isinstance(data, Mapping):
        return "data masked as a whole: its masks do not apply to it"
    return f"data {data['text']!r}" if "text" in data else f"data in base64 {data['base64']}"


def _logged(detail: Mapping[str, Any]) -> str:
    """The message of a log, and what it means."""
    return _with_meaning(
        detail,
        f"{detail['message_id']}: {detail['text']}" if "message_id" in detail else detail["text"],
    )


def _reported(detail: Mapping[str, Any]) -> str:
    return f"message {_with_meaning(detail, detail['message'])}"


def _with_meaning(detail: Mapping[str, Any], text: str) -> str:
    if detail.get("source") != "errorlog":
        return text
    # Loads the meanings of all messages; only imported ones are explained.
    from mqsc.language.codes import meaning_of_message

    meaning = meaning_of_message(text)
    return text if meaning is None else f"{text} ({meaning.cause} {meaning.action})"


def _imported_from(detail: Mapping[str, Any]) -> str:
    zone = f", zone {detail['zone']}" if detail.get("zone") else ""
    unknown = ", time not known" if detail.get("precision") == "unknown" else ""
    return f"from {detail['file']}:{detail.get('line')}{zone}{unknown}"


def _matched(detail: Mapping[str, Any]) -> str:
    dead = detail.get("dead_lettered")
    return (
        f"for {counted(detail['matched'], 'subscription')}, {detail.get('delivered', 0)} delivered"
        + (f", {dead} on the dead-letter queue" if dead else "")
    )


def _failed(detail: Mapping[str, Any]) -> str:
    failed = detail["failed"].items()
    each = (f"{name} ({' '.join([str(code), *name_of_code(code)])})" for name, code in failed)
    return f"not delivered to {', '.join(each)}"


def _excluded(detail: Mapping[str, Any]) -> str:
    each = (f"{name} ({condition})" for name, condition in detail["excluded"].items())
    more = detail.get("excluded_more")
    return f"not for {', '.join(each)}" + (f" and {more} more" if more else "")


# Keys of `detail` in words. The words of some say more than one key.
DETAILS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "destination": _destination,
    "backout_count": lambda detail: (
        f"backed out {detail['backout_count']} times, BOTHRESH({detail.get('threshold')})"
    ),
    "kept": lambda detail: _kept(detail["kept"]),
    "luwid": _batch,
    "deletes": lambda detail: "the queue is deleted once nobody has it open",
    "mark": lambda detail: "with MQGMO_MARK_SKIP_BACKOUT",
    "message": _reported,
    "text": _logged,
    "file": _imported_from,
    "messages": lambda detail: counted(detail["messages"], "message"),
    "options": _options,
    "matched": _matched,
    "failed": _failed,
    "excluded": _excluded,
    "subscription": lambda detail: f"for subscription {detail['subscription']}",
}
_SAID_BY_OTHERS = frozenset(
    {"destination_queue_manager", "threshold", "partner", "decision", "data", "message_id", "line"}
    | {"delivered", "dead_lettered", "excluded_more"},
)
# Numbers for programs that relate events to each other.
_FOR_PROGRAMS = frozenset({"put_event", "message_number"})
_OF_IMPORTS = frozenset({"source", "precision", "zone", "severity", "program", "inferred"})
# Keys of `detail` that are times in microseconds UTC, by kind of event.
_TIMES_OF_DETAIL: Mapping[str, tuple[str, ...]] = {
    "CLOCK": ("from", "to"),
    "OBSERVE": ("from", "to"),
    "CHANNEL": ("retry_at",),
    **dict.fromkeys(_DEFINITIONS, ("after", "before")),
}


def detail_of(event: TracedEvent) -> dict[str, Any]:
    """The details of an event, with times in ISO format."""
    times = _TIMES_OF_DETAIL.get(event.kind, ())
    return {
        key: iso(value) if key in times and isinstance(value, int) else value
        for key, value in event.detail.items()
    }


def _of_detail(event: TracedEvent) -> Iterator[str]:
    for key, value in detail_of(event).items():
        if value in (None, "") or key in _SAID_BY_OTHERS | _FOR_PROGRAMS | _OF_IMPORTS:
            continue
        if key in _CHANGE_OF_ACCESS and _access_words(event):
            continue
        if event.kind in _DEFINITIONS and key.isupper():
            yield _changed(key, value)
        elif key in DETAILS:
            yield DETAILS[key](event.detail)
        else:
            yield f"{key.replace('_', ' ')} {value_text(value)}"


def _changed(keyword: str, values: Any) -> str:
    if not isinstance(values, list) or len(values) != 2:
        return f"{keyword} {value_text(values)}"
    before, after = values
    if before is None or after is None:
        return f"{keyword}({value_text(after if before is None else before)})"
    return f"{keyword} {value_text(before)} to {value_text(after)}"


def value_text(value: Any) -> str:
    """A value of `detail` as text."""
    if isinstance(value, Mapping):
        return ", ".join(
            f"{key.replace('_', ' ')} {value_text(each)}" for key, each in value.items()
        )
    if isinstance(value, list):
        return ", ".join(map(value_text, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def row_of(event: TracedEvent) -> dict[str, Any]:
    """An event as data: the columns of the history, times in ISO format and identifiers in
    lower-case hexadecimal.
    """
    row = {name: _printed(name, value) for name, value in event._asdict().items()}
    return {**row, "detail": detail_of(event) or None}


def _printed(name: str, value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    return iso(value) if name in TIMES and value is not None else value
