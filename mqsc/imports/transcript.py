"""Output of runmqsc: what DISPLAY showed, as observations in the history, or the definitions in it
(import §7).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

from msgspec.json import encode

from mqsc.console.text.reasons import counted
from mqsc.imports.definition_events import Definition, dated, local_time
from mqsc.imports.definitions import import_commands
from mqsc.imports.destination import Recorder, check_store_of_named, destination, planned_or_done
from mqsc.imports.display_output import Shown, displayed_in
from mqsc.imports.recognition import Imported, ImportFile, ImportOptions, Remark
from mqsc.imports.source_text import LocalTimes
from mqsc.scripts.export import Definition as Exported, ExportCommand, given_words, key_of
from mqsc.scripts.export_output import one_line
from mqsc.store.admin.imported_records import FoundRecord
from mqsc.store.catalog import KINDS, Kind
from mqsc.store.catalog.types import Flag, Items
from mqsc.store.engine.state import StoreState
from mqsc.store.environment import MICROSECONDS
from mqsc.store.sql.rows import EventRow

# Seconds, as many as a queue manager can have.
_AGE = re.compile(r"[0-9]{1,10}")
# The kinds whose replies begin with another word.
_KINDS = {"QMNAME": "QMGR", "PROFILE": "AUTHREC", "SUBID": "SUB"}

# The times that displays of status have, in two attributes, and what they are called in the
# history.
_TIMES = (
    ("LPUTDATE", "LPUTTIME", "last_put"),
    ("LGETDATE", "LGETTIME", "last_get"),
    ("CHSTADA", "CHSTATI", "started"),
    ("STARTDA", "STARTTI", "started"),
)


def transcript(_: str, files: Sequence[ImportFile], options: ImportOptions) -> Iterator[Imported]:
    """Record what the transcripts show as observations; with `apply` make the definitions that
    they show.
    """
    if options.apply:
        check_store_of_named(options)
        yield from planned_or_done(
            options,
            lambda given: (_declared(file, given) for file in files),
        )
    else:
        with destination(options) as store:
            for file in files:
                yield _Observations(store, options, file).run()


class _Observations:
    """The import of one transcript into the history."""

    def __init__(self, store: StoreState, options: ImportOptions, file: ImportFile) -> None:
        self._options = options
        self._file = file
        self._outcome = Imported(file.name, "transcript")
        self._recorder = Recorder(store, options, self._outcome, "mqsc")
        self._equal: dict[str, int] = {}
        self._timeless = 0

    def run(self) -> Imported:
        """Import the file."""
        for qmgr, now, shown in displayed_in(self._file, self._options.encoding):
            if shown.fault:
                self._outcome.faults.append(Remark(f"{self._file.name}:{shown.line}", shown.fault))
            else:
                self._take(qmgr, now, shown)
        self._recorder.end()
        if self._timeless:
            sentence = f"{counted(self._timeless, 'record')} without a time have that of the file"
            self._outcome.remarks.append(Remark(self._file.name, sentence))
        return self._outcome

    def _take(self, qmgr: str, now: datetime | None, shown: Shown) -> None:
        origin = self._recorder.origin
        name = origin.name(qmgr)
        if not name:
            self._recorder.nameless += 1
            return
        # The local times that are shown have the zone of the time that was printed.
        times = self._options.times if now is None or now.tzinfo is None else LocalTimes(now.tzinfo)
        known, zone = self._options.taken_at, ""
        if known is None and now is not None:
            known, zone = times.utc(now.replace(tzinfo=None))
        self._timeless += known is None
        at = origin.taken_at if known is None else known
        common = origin.detail(
            shown.line,
            "unknown" if known is None else "second",
            "" if now and now.tzinfo else zone,
        )
        derived = _derived(shown.values, at, times)
        values = {word: value for word, value in shown.values.items() if value}
        event = EventRow(
            at=at,
            qmgr=name,
            kind="OBSERVE",
            queue=shown.name or None,
            target=_type_of(shown) or None,
            application="",
            user="",
            detail=encode({**common, "class": shown.subject, **values, **derived}).decode(),
        )
        text = repr(("mqsc", name, at, shown.subject, sorted(shown.values.items())))
        self._recorder.take(FoundRecord(self._fingerprint(text), [event]))
        type_ = _type_of(shown)
        key: tuple[str, ...] = ()
        if type_ in KINDS:
            key = key_of(KINDS[type_], "" if type_ == "QMGR" else shown.name, values)
        for kind, moment in dated(type_, values, times).items() if key else ():
            self._recorder.take(
                Definition(shown.line, type_, key, values).event(origin, name, kind, moment),
            )
        started = _START_OF.get(shown.subject)
        if started is not None and "started" in derived and shown.values.get("STATUS") == "RUNNING":
            # Shown again later, it is still the same start.
            zoned = encode({**common, "precision": "second", "zone": derived["zone"]}).decode()
            event = event._replace(
                at=derived["started"],
                queue=None,
                detail=zoned,
                **started(shown.name),
            )
            text = repr(("mqsc", name, event.at, event.kind, event.target))
            self._recorder.take(FoundRecord(sha256(text.encode()).hexdigest()[:32], [event]))

    def _fingerprint(self, text: str) -> str:
        number = self._equal[text] = self._equal.get(text, 0) + 1
        return sha256(f"{text} {number}".encode()).hexdigest()[:32]


# What a display of a status that is running says of the past.
_START_OF: Mapping[str, Callable[[str], dict[str, Any]]] = {
    "channel status": lambda name: {"kind": "CHANNEL", "cause": "bound", "target": name},
    "queue manager status": lambda name: {"kind": "START", "target": None},
}


def _type_of(shown: Shown) -> str:
    """The type of the object: that of a queue, else the word of its name."""
    word = next(iter(shown.values), "")
    return shown.values.get("TYPE", word) if word == "QUEUE" else _KINDS.get(word, word)


def _derived(values: Mapping[str, str], at: int, times: LocalTimes) -> dict[str, Any]:
    """What a display of status says in other words: when messages came and went, and since when
    the oldest waits.
    """
    derived: dict[str, Any] = {}
    for date, time, name in _TIMES:
        if moment := local_time(values, date, time, times):
            derived |= {name: moment.at, "zone": moment.zone}
    age = values.get("MSGAGE", "")
    return (
        {**derived, "oldest_at": at - int(age) * MICROSECONDS}
        if _AGE.fullmatch(age) and int(age)
        else derived
    )


def _declared(file: ImportFile, options: ImportOptions) -> Imported:
    """Make the definitions that a transcript shows; what it shows of states is left out."""
    outcome = Imported(file.name, "transcript")
    commands = list[tuple[int, str]]()
    states = 0
    for qmgr, _, shown in displayed_in(file, options.encoding):
        outcome.qmgr = outcome.qmgr or qmgr
        if shown.fault:
            outcome.faults.append(Remark(f"{file.name}:{shown.line}", shown.fault))
            continue
        kind = None if "status" in shown.subject else KINDS.get(_type_of(shown))
        # Dynamic queues and the subscriptions of programs are not definitions.
        is_defined = shown.values.get("DEFTYPE", _PREDEFINED) == _PREDEFINED
        if kind is None or not is_defined or shown.values.get("SUBTYPE", "ADMIN") != "ADMIN":
            states += 1
        else:
            commands.append((shown.line, _command(kind, shown)))
    if states:
        sentence = (
            f"left out: {counted(states, 'record')} that show a state or a dynamic queue, not a "
            "definition"
        )
        outcome.remarks.append(Remark(file.name, sentence))
    import_commands(outcome, commands, options)
    return outcome


_PREDEFINED = "PREDEFINED"
_ENTITIES = frozenset(("ENTITY", "ENTTYPE", "AUTHLIST"))


def _command(kind: Kind, shown: Shown) -> str:
    """The command that makes the definition, from the attributes that a command can set."""
    values: dict[str, Any] = {}
    settable = {*given_words(kind.keyword), *kind.identity, kind.selector}
    for word, text in shown.values.items():
        row, _ = kind.words.get(word, (None, True))
        if row is not None and row.keyword in settable and not row.secret:
            is_list = isinstance(row.type, Items)
            values[row.keyword] = (
                [*filter(None, map(str.strip, text.split(",")))] if is_list else text
            )
            if isinstance(row.type, Flag):
                values[row.keyword] = word
    if kind.keyword == "AUTHREC":
        values |= {word: shown.values.get(word, "") for word in (*_ENTITIES, *kind.identity)}
        values["AUTHLIST"] = [
            *filter(None, map(str.strip, shown.values.get("AUTHLIST", "").split(","))),
        ]
    if kind.keyword == "QMGR":
        return one_line(ExportCommand("ALTER", Exported(kind, "", values), values))
    verb = "SET" if kind.identity else "DEFINE"
    name = shown.name
    return one_line(ExportCommand(verb, Exported(kind, name, values), values))
