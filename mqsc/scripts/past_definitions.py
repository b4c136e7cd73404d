"""The past of definitions: who set the attributes of an object, and the commands that undo changes.

All of it follows from the events on definitions (design §2.3): DEFINE, ALTER and SET have the values before and after
of what they changed, DELETE ends everything before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from mqsc.console.parameters import iso
from mqsc.history.event_text import value_text
from mqsc.scripts.export import Definition, ExportCommand, definitions
from mqsc.scripts.export_output import one_line
from store.catalog import KINDS, Kind, Stored
from store.rules.message_trace import TracedEvent

if TYPE_CHECKING:
    from store.client.api import QueueManager

CHANGES = frozenset({"DEFINE", "ALTER", "SET", "DELETE"})
_DEFAULT = "default"


class Given(NamedTuple):
    """A value of an attribute and the event that gave it; None if the history no longer has that."""

    value: Any
    event: TracedEvent | None


class Blame(NamedTuple):
    """The event that defined an object, None if the history no longer has it, and the values of each attribute that
    was given one since, the present value last. `deleted` is the event that deleted the object, if it is gone.
    """

    defined: TracedEvent | None
    values: Mapping[str, list[Given]]
    deleted: TracedEvent | None


def blame(events: Iterable[TracedEvent]) -> Blame:
    """The blame for an object, from the events on its definition in their order."""
    found = Blame(None, {}, None)
    for event in events:
        if event.kind == "DELETE":
            found = found._replace(deleted=event)
            continue
        is_new = event.kind == "DEFINE"
        values: dict[str, list[Given]] = {} if is_new else {**found.values}
        for keyword, pair in event.detail.items():
            if keyword.isupper() and isinstance(pair, list):
                before, after = pair
                # Before it was changed for the first time, it had the value with which the object was defined.
                first = [] if is_new or before is None else [Given(before, found.defined)]
                values[keyword] = [*values.get(keyword, first), Given(after, event)]
        found = Blame(event if is_new else found.defined, values, None)
    return found


def blame_rows(found: Blame, present: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A row for each attribute of an object as DISPLAY shows it: its value, who gave it, and the earlier ones."""
    for keyword, value in present.items():
        *earlier, last = found.values.get(keyword) or [Given(value, None)]
        yield {
            "attribute": keyword,
            "value": value,
            **_set(last),
            "earlier": [{"value": each.value, **_set(each)} for each in reversed(earlier)],
        }


def _set(given: Given) -> dict[str, Any]:
    event = given.event
    return {
        "set_at": None if event is None else iso(event.at),
        "by": None if event is None else event.application,
        "user": None if event is None else event.user,
        "command": None if event is None else f"{event.kind}{f' ({event.cause})' if event.cause else ''}",
        "place": None if event is None else event.detail.get("place"),
        "event": None if event is None else event.seq,
    }


def blame_cells(row: Mapping[str, Any]) -> list[str]:
    """A row as the cells of a table."""
    where = row["place"] or (f"event {row['event']}" if row["event"] else "")
    earlier = (
        f"{value_text(each['value'])} ({_moment(each)})" if each["set_at"] else value_text(each["value"])
        for each in row["earlier"]
    )
    command = row["command"] or _DEFAULT
    return [
        row["attribute"],
        value_text(row["value"]),
        _moment(row),
        command,
        row["user"] or "",
        where,
        ", ".join(earlier),
    ]


HEADINGS = ("ATTRIBUTE", "VALUE", "SINCE", "COMMAND", "USER", "WHERE", "EARLIER")


def _moment(row: Mapping[str, Any]) -> str:
    return (row["set_at"] or "")[:19].replace("T", " ")


# The commands that undo changes.

# A change with another cause was no command of its own: it followed from one, or from what a program or channel did.
_OF_COMMANDS = frozenset({None, "replace", "command", "application"})


class NotUndoneError(Exception):
    """A change cannot be undone; the text says why, and what to do."""


class Values(NamedTuple):
    """The attributes that an event changed, before and after; without those that had, or got, none."""

    before: dict[str, Stored]
    after: dict[str, Stored]


def is_undoable(event: TracedEvent) -> bool:
    """Whether an event on a definition was a command."""
    return event.cause in _OF_COMMANDS and event.target in KINDS


def undoing(qmgr: QueueManager, events: Iterable[TracedEvent]) -> Iterator[tuple[TracedEvent, list[str]]]:
    """The commands that undo the events, which are given newest first, each with its event.

    NotUndoneError if an attribute no longer has the value that an event gave it.
    """
    present: dict[tuple[str, str], dict[str, Any]] = {}
    for event in events:
        kind, name, values = KINDS[str(event.target)], _name(event), _values(event)
        if kind.identity:
            yield event, _of_record(event, kind, name, values)
            continue
        known = present.setdefault((kind.keyword, name), _present(qmgr, kind, name))
        if event.kind in ("DEFINE", "DELETE"):
            yield event, [_whole(event, kind, name, values)]
            known.clear()
            known.update(values.before)
            continue
        for word, value in values.after.items():
            if word in known and known[word] != value:
                raise NotUndoneError(
                    f"{word} of {kind.keyword}({name}) is {known[word]} now, and event {event.seq} made it {value}: "
                    "undo what changed it later first, or give the time from which on everything is undone"
                )
        known.update(values.before)
        subtype = {kind.selector: known[kind.selector]} if kind.selector and kind.selector in known else {}
        command = ExportCommand(
            "ALTER", Definition(kind, name, {**subtype, **values.before}), {**subtype, **values.before}
        )
        yield event, [one_line(command)]


def _name(event: TracedEvent) -> str:
    """The name of the object as commands give it; the queue manager has none."""
    return "" if event.target == "QMGR" else str(event.queue)


def _values(event: TracedEvent) -> Values:
    pairs = {word: pair for word, pair in event.detail.items() if word.isupper() and isinstance(pair, list)}
    before, after = ({word: pair[side] for word, pair in pairs.items() if pair[side] is not None} for side in (0, 1))
    return Values(before, after)


def _present(qmgr: QueueManager, kind: Kind, name: str) -> dict[str, Any]:
    """The attributes of the object now; none if there is no such object."""
    found = next(definitions(qmgr, kind, name or "*"), None)
    return {} if found is None else dict(found.values)


def _whole(event: TracedEvent, kind: Kind, name: str, values: Values) -> str:
    if event.kind == "DEFINE":
        return one_line(ExportCommand("DELETE", Definition(kind, name, values.after), {}))
    return one_line(ExportCommand("DEFINE", Definition(kind, name, values.before), values.before))


def _of_record(event: TracedEvent, kind: Kind, name: str, values: Values) -> list[str]:
    """For CHLAUTH and AUTHREC: the record as it was before, or its removal if it is new."""
    identity: dict[str, Stored] = dict(event.detail.get("record") or {})
    known = {**dict.fromkeys(kind.identity, ""), **values.after, **values.before, **identity}
    definition = Definition(kind, name, known)
    exists = event.kind == "SET"
    is_new = exists and not event.detail.get("record")
    # AUTHADD only adds: what the record has is removed first.
    removes = is_new or (exists and kind.keyword == "AUTHREC")
    removal = [one_line(ExportCommand("DELETE", definition, {}))] if removes else []
    return removal if is_new else [*removal, one_line(ExportCommand("SET", definition, {**identity, **values.before}))]
