"""What definitions say of the past of the queue manager that they are from, as events of the history (import §6.1, §7).

They say when an object was created and last altered, not what changed then: that is the difference of two dumps of the
same command. The objects of a dump are kept with its events, for the comparison with the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from itertools import chain
from typing import Any, NamedTuple

from mqsc.imports.destination import Recorder, destination
from mqsc.imports.log_events import Origin, detail_text
from mqsc.imports.recognition import Imported, ImportFile, ImportOptions, head_of
from mqsc.imports.source_text import LocalTimes, ZonedTime
from mqsc.language.refusal import HIDDEN, secret_keywords
from mqsc.language.request import Request
from mqsc.scripts.declarations import keys_of
from store.admin.history import FoundRecord, position_of
from store.catalog import KINDS
from store.rules.names import is_object_name
from store.sql.rows import EventRow

# Comments of dmpmqcfg -a inside a command.
_COMMENT = re.compile(r"^\* *((?:ALT|CR)(?:DATE|TIME))\(([^)]*)\)")
_QMGR = re.compile(r"\* Queue manager name: *(\S+)")
_GENERATED = re.compile(r"\* Script generated on (?P<date>\S+) +at (?P<time>\S+)")
_COMMAND = re.compile(r"\* Command issued: *(.*)")
_HEADING_LINES = 40
# What is no attribute.
_OPTIONS = frozenset({"REPLACE", "FORCE", "ACTION"})
_ENTITIES = frozenset({"GROUP", "PRINCIPAL"})


class Definition(NamedTuple):
    """An object as a file has it: its type, what tells it from others, its attributes, and times of its past."""

    line: int
    type: str
    key: tuple[str, ...]
    values: Mapping[str, Any]
    moments: Mapping[str, ZonedTime] = {}

    def event(
        self, origin: Origin, qmgr: str, kind: str, moment: ZonedTime, precision: str = "second", **more: Any
    ) -> FoundRecord:
        """The record of an event of this object; what several files say of one event is one record."""
        kind = "SET" if KINDS[self.type].identity and kind not in ("OBSERVE", "DELETE") else kind
        detail = detail_text({**origin.detail(self.line, precision, moment.zone), **more})
        row = EventRow(at=moment.at, qmgr=qmgr, kind=kind, queue=self.key[1] or qmgr, target=self.type,
                       application="", user="", detail=detail)  # fmt: skip
        text = repr(("definition", qmgr, kind, *self.key, moment.at))
        return FoundRecord(sha256(text.encode()).hexdigest()[:32], [row])


_Objects = Mapping[tuple[str, ...], Definition]
# The object, the kind of event, its time if it is known, and details.
_Event = tuple[Definition, str, ZonedTime | None, Mapping[str, Any]]


def local_time(values: Mapping[str, str], date: str, time: str, times: LocalTimes) -> ZonedTime | None:
    """The moment that two attributes are, if they are one."""
    try:
        return times.utc(datetime.strptime(f"{values.get(date)} {values.get(time)}", "%Y-%m-%d %H.%M.%S"))
    except ValueError:
        return None


def dated(type_: str, values: Mapping[str, str], times: LocalTimes) -> dict[str, ZonedTime]:
    """When an object was defined, and when it was altered since, as far as its attributes say so."""
    created, altered = (local_time(values, f"{each}DATE", f"{each}TIME", times) for each in ("CR", "ALT"))
    found = {} if created is None or type_ == "QMGR" else {"DEFINE": created}
    return found if altered is None or (created and altered.at <= created.at) else {**found, "ALTER": altered}


def defined_in(found: Iterable[tuple[int, Request]], lines: Sequence[str], times: LocalTimes) -> Iterator[Definition]:
    """The objects that the commands of a dump define; each command has the number of its first line."""
    for line, request in found:
        if request.verb == "DELETE" or str(request.options.get("ACTION", "")).startswith("REMOVE"):
            continue
        type_, comments = request.kinds[0].keyword, dict[str, str]()
        for number in range(line - 1, len(lines)):
            comments |= _COMMENT.findall(lines[number])
            if not lines[number].rstrip().endswith(("+", "-")) and not lines[number].startswith("*"):
                break
        given = {word: value for word, value in {**request.options, **request.given}.items() if word not in _OPTIONS}
        values = {word: HIDDEN if word in secret_keywords() else value for word, value in given.items()}
        if type_ != "AUTHREC":
            yield Definition(line, type_, keys_of(request)[0], values, dated(type_, comments, times))
            continue
        shared = {word: value for word, value in values.items() if word not in _ENTITIES}
        # A command may name several users and groups, each of which has a record of its own.
        for key in keys_of(request):
            yield Definition(line, type_, key, {**shared, key[-2]: [key[-1]]})


class Heading(NamedTuple):
    """What the comments at the beginning say: whose definitions they are, and which command dumped them and when."""

    qmgr: str
    command: str
    taken: ZonedTime

    @property
    def is_of_dump(self) -> bool:
        return bool(self.qmgr and self.command and self.taken.at)


def heading_of(lines: Sequence[str], times: LocalTimes) -> Heading:
    """The heading of a script, blank as far as it has none."""
    text = "\n".join(lines[:_HEADING_LINES])
    named, command, made = _QMGR.findall(text), _COMMAND.search(text), _GENERATED.search(text)
    taken = made and local_time(made.groupdict(), "date", "time", times)
    qmgr = next(filter(is_object_name, reversed(named)), "")
    return Heading(qmgr, "" if command is None else command[1].strip(), taken or ZonedTime(0, ""))


def oldest_first(files: Sequence[ImportFile], times: LocalTimes) -> list[ImportFile]:
    """The files in their order, but the dumps of each queue manager by their time."""
    found = [heading_of(head_of(file).decode("utf-8", "replace").split("\n"), times) for file in files]
    by_time = sorted(zip(found, files, strict=True), key=lambda pair: pair[0].taken.at)
    dumps = {
        name: iter([file for heading, file in by_time if heading.is_of_dump and heading.qmgr == name])
        for name in {heading.qmgr for heading in found}
    }
    return [
        next(dumps[heading.qmgr]) if heading.is_of_dump else file for heading, file in zip(found, files, strict=True)
    ]


def record_past(
    dump: Heading,
    is_ended: bool,
    found: Iterable[Definition],
    outcome: Imported,
    options: ImportOptions,
) -> None:
    """Record what the dump of a queue manager has: each object, its past, and the difference from the dump before.

    `is_ended`: it has its last lines.

    That is the last one that the same command made. A dump that is older is compared with none, nor is one without the
    last lines that the one before has: it was cut. One from the future is neither compared nor kept for later ones.
    """
    taken = dump.taken
    with destination(options) as store:
        recorder = Recorder(store, options, outcome, "dmpmqcfg")
        objects, qmgr = {each.key: each for each in found}, recorder.origin.name(dump.qmgr)
        # The command may have a password.
        digest = sha256(dump.command.encode(errors="surrogateescape")).hexdigest()[:32]
        place, listed = f"{qmgr}: {digest}", objects.values()
        nothing: Mapping[str, Any] = {"at": 0, "objects": (), "is_ended": False}
        kept = position_of(store, place)
        before = {**nothing, **kept} if kept.get("at", 0) <= recorder.latest else nothing
        is_comparable = before["at"] <= taken.at <= recorder.latest and is_ended >= before["is_ended"]
        old = {tuple(key): Definition(1, type_, tuple(key), values) for type_, key, values in before["objects"]}
        changes = _changes(old, objects, before["at"], taken.at) if is_comparable and before["at"] < taken.at else ()
        observed = ((each, "OBSERVE", taken, {"class": "definition", **each.values}) for each in listed)
        dates = ((each, kind, moment, dict[str, Any]()) for each in listed for kind, moment in each.moments.items())
        records = dict[str, FoundRecord]()
        for each, kind, moment, detail in chain(changes, observed, dates):
            precision = "second" if moment else "unknown"
            record = each.event(recorder.origin, qmgr, kind, moment or taken, precision, **detail)
            records.setdefault(record.fingerprint, record)
        for record in records.values():
            recorder.take(record)
        if is_comparable:
            # With the last records, so that an import that was killed compares again.
            state = {"at": taken.at, "objects": [(each.type, each.key, each.values) for each in listed],
                     "is_ended": is_ended}  # fmt: skip
            recorder.position = lambda: (place, state)
        recorder.end()


def _changes(old: _Objects, new: _Objects, since: int, taken: int) -> Iterator[_Event]:
    """What differs from the dump before; without one, objects whose time is not known are defined by now."""
    for key, each in {**old, **new}.items():
        was, now = (dict(found[key].values) if key in found else None for found in (old, new))
        kind = "ALTER" if each.type == "QMGR" or None not in (was, now) else "DEFINE" if was is None else "DELETE"
        moment, defined = each.moments.get(kind), each.moments.get("DEFINE")
        if was == now or (not since and (each.moments or kind == "ALTER")):
            continue
        # Its date says so already; it may also have been defined again.
        if defined and (kind == "DEFINE" or (kind == "ALTER" and defined.at > since)):
            continue
        was, now = was or {}, now or {}
        values = {word: [was.get(word), now.get(word)] for word in {**was, **now} if was.get(word) != now.get(word)}
        span = {"after": since, "before": taken} if since else {}
        yield each, kind, moment if moment and since < moment.at <= taken else None, {**span, **values}
