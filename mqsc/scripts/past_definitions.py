"""The past of definitions: who set the attributes of an object, and the commands that undo changes.

All of it follows from the events on definitions (design §2.3): DEFINE, ALTER and SET have the
values before and after of what they changed, DELETE ends everything before it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from mqsc.console.parameters import iso
from mqsc.console.text.reasons import counted
from mqsc.history.event_text import value_text
from mqsc.plan import Planned
from mqsc.scripts.export import Definition, ExportCommand, definitions
from mqsc.scripts.export_output import one_line
from mqsc.store.catalog import KINDS, Kind, Stored
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.rules.message_trace import TracedEvent

CHANGES = frozenset({"DEFINE", "ALTER", "SET", "DELETE"})
_DEFAULT = "default"


class BlamedValue(NamedTuple):
    """A value of an attribute and the event that gave it; None if the history no longer has
    that.
    """

    value: Any
    event: TracedEvent | None


class Blame(NamedTuple):
    """The event that defined an object, None if the history no longer has it, and the values of
    each attribute that was given one since, the present value last. `deleted` is the event that
    deleted the object, if it is gone.
    """

    defined: TracedEvent | None
    values: Mapping[str, list[BlamedValue]]
    deleted: TracedEvent | None


def blame(events: Iterable[TracedEvent]) -> Blame:
    """The blame for an object, from the events on its definition in their order."""
    blamed = Blame(None, {}, None)
    for event in events:
        if event.kind == "DELETE":
            blamed = blamed._replace(deleted=event)
            continue
        is_new = event.kind == "DEFINE"
        values: dict[str, list[BlamedValue]] = {} if is_new else {**blamed.values}
        for keyword, pair in event.detail.items():
            if keyword.isupper() and isinstance(pair, list):
                before, after = pair
                # Before it was changed for the first time, it had the value with which the object
                # was defined.
                first = [] if is_new or before is None else [BlamedValue(before, blamed.defined)]
                values[keyword] = [*values.get(keyword, first), BlamedValue(after, event)]
        blamed = Blame(event if is_new else blamed.defined, values, None)
    return blamed


def blame_rows(blamed: Blame, present: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A row for each attribute of an object as DISPLAY shows it: its value, who gave it, and the
    earlier ones.
    """
    for keyword, value in present.items():
        *earlier, last = blamed.values.get(keyword) or [BlamedValue(value, None)]
        before = [{"value": each.value, **_set(each)} for each in reversed(earlier)]
        yield {"attribute": keyword, "value": value, **_set(last), "earlier": before}


def _set(blamed_value: BlamedValue) -> dict[str, Any]:
    """Who gave a value, when and how; None for each if the history no longer says it."""
    event = blamed_value.event
    if event is None:
        return dict.fromkeys(("set_at", "by", "user", "command", "place", "event"))
    return {
        "set_at": iso(event.at),
        "by": event.application,
        "user": event.user,
        "command": f"{event.kind} ({event.cause})" if event.cause else event.kind,
        "place": event.detail.get("place"),
        "event": event.seq,
    }


def blame_cells(blame_row: Mapping[str, Any]) -> Iterator[list[str]]:
    """A row as rows of a table: the value that holds, and below it the earlier ones."""
    yield [blame_row["attribute"], *_setting_cells(blame_row)]
    for earlier in blame_row["earlier"]:
        yield ["", *_setting_cells(earlier)]


def _setting_cells(setting: Mapping[str, Any]) -> list[str]:
    """A value, since when it held, and who gave it."""
    where = setting["place"] or (f"event {setting['event']}" if setting["event"] else "")
    return [
        value_text(setting["value"]),
        _moment(setting),
        setting["command"] or _DEFAULT,
        setting["user"] or "",
        where,
    ]


HEADINGS = ("ATTRIBUTE", "VALUE", "SINCE", "COMMAND", "USER", "WHERE")


def _moment(setting: Mapping[str, Any]) -> str:
    return (setting["set_at"] or "")[:19].replace("T", " ")


# The commands that undo changes.

# A change with another cause was no command of its own: it followed from one, or from what a
# program or channel did.
_OF_COMMANDS = frozenset({None, "replace", "command", "application"})


class NotUndoneError(Exception):
    """A change cannot be undone; the text says why, and what to do."""


class Undoing(NamedTuple):
    """The commands that undo an event, and the attributes that they leave out, because the
    history has no secrets.
    """

    event: TracedEvent
    commands: list[str]
    secrets: list[str]

    @property
    def lost_messages(self) -> int:
        """How many messages were deleted with the queue; they do not come back."""
        return int(self.event.detail.get("messages") or 0) if self.event.kind == "DELETE" else 0


class _Change(NamedTuple):
    """What an event changed: the object, its disposition in a queue-sharing group, and the
    attributes that had or got a value, before and after.
    """

    kind: Kind
    name: str
    disposition: str
    before: dict[str, Stored]
    after: dict[str, Stored]

    def command(
        self,
        verb: str,
        values: Mapping[str, Stored],
        named: Mapping[str, Stored] | None = None,
    ) -> str:
        """The command that does this to the object; `named` has what tells it from others, by
        default the values.
        """
        line = one_line(
            ExportCommand(verb, Definition(self.kind, self.name, named or values), values),
        )
        return f"{line} QSGDISP({self.disposition})" if self.disposition else line


def is_undoable(event: TracedEvent) -> bool:
    """Whether an event on a definition was a command."""
    return event.cause in _OF_COMMANDS and event.target in KINDS


def changes_something(event: TracedEvent) -> bool:
    """Whether an event on a definition changed anything: an ALTER can give the values that were
    there.
    """
    return event.kind in ("DEFINE", "DELETE") or bool(_changed_values(event))


def to_undo(events: Iterable[TracedEvent]) -> list[TracedEvent]:
    """Those of the events that a command caused and that changed something."""
    return [each for each in events if is_undoable(each) and changes_something(each)]


def undoing(qmgr: QueueManager, events: Iterable[TracedEvent]) -> Iterator[Undoing]:
    """The commands that undo the events, which are given newest first.

    NotUndoneError if an attribute no longer has the value that an event gave it.
    """
    present: dict[tuple[str, str, str], dict[str, Any]] = {}
    for event in events:
        change, secrets = _change(qmgr, event)
        # The event of a new or removed record has what tells it from others among its values.
        values = event.detail.get("record") or {**change.after, **change.before}
        identity = {word: values[word] for word in change.kind.identity if word in values}
        key = (change.kind.keyword, change.name, change.disposition or str(identity))
        known = present.setdefault(key, _present(qmgr, change, identity))
        if change.kind.identity:
            if event.kind == "SET" and "record" in event.detail:
                _check_is_last(event, change, known)
            for word in change.after:
                known.pop(word, None)
            known.update(change.before)
            yield Undoing(event, _of_record(event, change, {**identity, **known}), secrets)
            continue
        if event.kind in ("DEFINE", "DELETE"):
            command = (
                change.command("DELETE", {}, change.after)
                if event.kind == "DEFINE"
                else change.command("DEFINE", change.before)
            )
            yield Undoing(event, [command], secrets)
            known.clear()
        else:
            _check_is_last(event, change, known)
            selector = change.kind.selector
            subtype = {selector: known[selector]} if selector and selector in known else {}
            command = change.command("ALTER", {**subtype, **change.before})
            yield Undoing(event, [command] if change.before else [], secrets)
        known.update(change.before)


def with_lost_messages(rows: Iterable[Planned], undone: Iterable[Undoing]) -> Iterator[Planned]:
    """The rows of the plan that undoes the events; a queue that comes back without its messages
    has a warning.
    """
    lost: Counter[tuple[str, str]] = Counter()
    for each in undone:
        lost[str(each.event.target), str(each.event.queue)] += each.lost_messages
    for planned in rows:
        count = lost.pop((planned.type, planned.name), 0)
        if not count:
            yield planned
            continue
        they = f"{counted(count, 'message')} that {'was' if count == 1 else 'were'} deleted with it"
        warning = f"{they} {'does' if count == 1 else 'do'} not come back"
        yield replace(planned, warnings=(*planned.warnings, warning))


def _changed_values(event: TracedEvent) -> dict[str, list[Any]]:
    """The values before and after of the attributes that an event changed."""
    return {
        word: pair
        for word, pair in event.detail.items()
        if word.isupper() and isinstance(pair, list)
    }


def _change(qmgr: QueueManager, event: TracedEvent) -> tuple[_Change, list[str]]:
    """What an event changed, without secrets, and the secrets that it changed."""
    kind = KINDS[str(event.target)]
    pairs = _changed_values(event)
    secrets = [word for word in pairs if word in kind.attributes and kind.attributes[word].secret]
    before, after = (
        {
            word: pair[side]
            for word, pair in pairs.items()
            if pair[side] is not None and word not in secrets
        }
        for side in (0, 1)
    )
    of_group = event.qmgr != qmgr.name and kind.keyword != "CFSTRUCT"
    disposition = event.detail.get("disposition") or ("SHARED" if of_group else "")
    # Commands do not name the queue manager.
    name = "" if kind.keyword == "QMGR" else str(event.queue)
    return _Change(kind, name, disposition, before, after), secrets


def _present(qmgr: QueueManager, change: _Change, identity: Mapping[str, Stored]) -> dict[str, Any]:
    """The attributes of the object or record now; none if there is no such one."""
    if change.kind.identity:
        records = (each for each in definitions(qmgr, change.kind) if each.name == change.name)
        return next(
            (dict(each.values) for each in records if identity.items() <= each.values.items()),
            {},
        )
    found = definitions(qmgr, change.kind, change.name or "*")
    return next((dict(each.values) for each in found if each.disposition == change.disposition), {})


def _check_is_last(event: TracedEvent, change: _Change, known: Mapping[str, Any]) -> None:
    for word, value in change.after.items():
        if word in known and known[word] != value:
            raise NotUndoneError(
                f"{word} of {change.kind.keyword}({change.name}) is {known[word]} now, and event "
                f"{event.seq} made it "
                f"{value}: undo what changed it later first, or give the time from which on "
                "everything is undone",
            )


def _of_record(event: TracedEvent, change: _Change, values: Mapping[str, Stored]) -> list[str]:
    """For CHLAUTH and AUTHREC: the record with the values that it had before, or its removal if
    it is new.
    """
    identity: dict[str, Stored] = dict(event.detail.get("record") or {})
    named = {**dict.fromkeys(change.kind.identity, ""), **change.after, **change.before, **identity}
    if identity and not (change.before or change.after):
        # It was set as it was already.
        return []
    exists = event.kind == "SET"
    is_new = exists and not identity
    # AUTHADD only adds: what the record has is removed first.
    removes = is_new or (exists and change.kind.keyword == "AUTHREC")
    removal = [change.command("DELETE", {}, named)] if removes else []
    return removal if is_new else [*removal, change.command("SET", values, named)]
