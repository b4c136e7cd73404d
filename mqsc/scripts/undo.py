"""The commands that undo changes of definitions, which the history records with the values before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from mqsc.scripts.export import Definition, ExportCommand, definitions
from mqsc.scripts.export_output import one_line
from store.catalog import KINDS, Kind, Stored
from store.rules.message_trace import TracedEvent

if TYPE_CHECKING:
    from store.client.api import QueueManager

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
