"""Output of runmqsc: what DISPLAY showed, as observations in the history, or the definitions in it
(import §7).

An attribute ends at the parenthesis that closes it, if blanks and another attribute or the end of
the line follow. Nothing depends on columns, so that text that lost its padding or its indentation
is read too. They help only where they are whole: a free text in the columns of runmqsc may have
parentheses that say otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

from msgspec import Struct, field
from msgspec.json import encode

from mqsc.console.text.reasons import counted
from mqsc.imports.definition_events import Definition, dated, local_time
from mqsc.imports.definitions import import_commands
from mqsc.imports.destination import Recorder, destination, planned_or_done
from mqsc.imports.recognition import Imported, ImportFile, ImportOptions, Remark
from mqsc.imports.source_text import LocalTimes, decoded
from mqsc.language.secrets import HIDDEN, is_secret_name, without_secrets
from mqsc.scripts.export import Definition as Exported, ExportCommand, given_words, key_of
from mqsc.scripts.export_output import one_line
from mqsc.store.admin.history import FoundRecord
from mqsc.store.catalog import KINDS, Kind
from mqsc.store.catalog.status import STATUS_KINDS
from mqsc.store.catalog.types import Flag, Items, Text
from mqsc.store.engine.state import StoreState
from mqsc.store.environment import MICROSECONDS
from mqsc.store.sql.rows import EventRow

_BANNER = re.compile(
    r"Starting MQSC for queue manager (\S+?)\.?\s*$"
    r"|MQSC.* (?:Warteschlangenmanager|gestor de colas|gerenciador de filas|gestionnaire de files "
    r"d'attente"
    r"|gestore code) (\S+?)\.?(?:\s|$)",
)
_CHECKMK = re.compile(r"QMNAME\((\S+?)\) +STATUS\([^)]*\)(?: +NOW\((\S+?)\))?")
# A line that `date` or `date -Is` may have printed.
_DATE = re.compile(
    r"[A-Z][a-z]{2} [\w +]*\d\d?:\d\d:\d\d[\w +-]*|\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S*",
)
_ZONE = re.compile(r" (?!AM|PM)([A-Z]{3,5}|[+-](?:0\d|1[0-4]))(?= |$)")
_FORMS = (
    "%a %b %d %H:%M:%S %Y",
    "%a %b %d %I:%M:%S %p %Y",
    "%a %d %b %Y %H:%M:%S",
    "%a %d %b %Y %I:%M:%S %p",
)
_REPLY = re.compile(
    r"\s*AMQ\d{4}[A-Z]?: (?:Display (.*?) details\b|(?:IBM|WebSphere) MQ (subscription.*?) "
    r"inquired\.)",
    re.IGNORECASE,
)
# The headings in English by their number, as those in the file may be in another language.
_HEADINGS = {
    kind.heading_id[:7]: _REPLY.match(f"{kind.heading_id}: {kind.heading}")
    for kind in (*KINDS.values(), *STATUS_KINDS.values())
}
_REPLY_OF_ZOS = re.compile(r"\s*(CSQM4\d\dI) (?:[-+!*](\S+) )?(.*)")
# Consoles and job logs show an attribute a line behind: CSQM201I !CSQ1 CSQMDRTC DIS QLOCAL DETAILS
_CONSOLE = re.compile(
    r".*\bCSQM2\d\dI +[-+!*]?([A-Z@#$][A-Z0-9@#$]{0,3}) +CSQM\w+ +DIS(?:PLAY)? +(\w+) DETAILS\b",
)
_END = re.compile(
    r"\s*(?:(?:\d+ +)?END \w+ DETAILS|AMQ\d{4}|CSQ[A-Z0-9]\d{3}[A-Z]|\d+ : |(?:\d+|One) "
    r".*\bMQSC\b)",
)
_KEYWORD = re.compile(r"(?<!\S)([A-Z][A-Z0-9]*)(\(|(?=\s+[A-Z][A-Z0-9]*(?:\(|\s|$)|\s*$))")
_WHOLE = re.compile(r"([A-Z][A-Z0-9]*)(?:\((.*)\))?")
# A parenthesis at which a value may end.
_CLOSING = re.compile(r"\)(?=\s+[A-Z][A-Z0-9]*(?:\(|\s|$)|\s*$)")
# Where runmqsc puts the two attributes of a line, each padded, and a blank before it.
_INDENT = 3
_PADDED = 40
_SECOND = 43
# Seconds, as many as a queue manager can have.
_AGE = re.compile(r"[0-9]{1,10}")
# The words at the beginning of a reply whose value is the name of an object; subsystems of z/OS
# have @, # and $ in it.
_WITH_NAMES = frozenset(
    "QUEUE CHANNEL CHSTATUS PROCESS NAMELIST TOPIC AUTHINFO LISTENER SERVICE COMMINFO STGCLASS "
    "CFSTRUCT QMNAME".split(),
)
_NAME = re.compile(r"[A-Za-z0-9._/%@#$+]{0,48}")
# The most characters of a wrong name in a sentence.
_SHOWN = 60
# The kinds whose replies begin with another word.
_KINDS = {"QMNAME": "QMGR", "PROFILE": "AUTHREC", "SUBID": "SUB"}
_IDENTIFIER = "SUBID"
# The times that displays of status have, in two attributes, and what they are called in the
# history.
_TIMES = (
    ("LPUTDATE", "LPUTTIME", "last_put"),
    ("LGETDATE", "LGETTIME", "last_get"),
    ("CHSTADA", "CHSTATI", "started"),
    ("STARTDA", "STARTTI", "started"),
)


class Shown(NamedTuple):
    """One object of a DISPLAY: the line of its reply, what was displayed, and its attributes in
    order.
    """

    line: int
    subject: str
    values: Mapping[str, str]

    @property
    def name(self) -> str:
        """The name of the object: the value of its first attribute, or of the one behind an
        identifier.
        """
        word = next(iter(self.values), "")
        return self.values.get("SUB" if word == _IDENTIFIER else word, "")

    @property
    def fault(self) -> str:
        """Why nothing can be said of the object: its name is none; blank if it may be one."""
        word = next(iter(self.values), "")
        is_named = word not in _WITH_NAMES or _NAME.fullmatch(self.name)
        return "" if is_named else f"left out: {word} has {self.name[:_SHOWN]!r}, which is no name"


class _Reader(Struct):
    """Reads a transcript; knows the queue manager and the time that its lines before named."""

    qmgr: str = ""
    now: datetime | None = None
    begin: int = 0
    subject: str = ""
    lines: list[str] = field(default_factory=list)

    def shown(self, lines: Iterator[str]) -> Iterator[tuple[str, datetime | None, Shown]]:
        """The queue manager, the time and the object of each reply."""
        for number, line in enumerate(lines, 1):
            reply = _REPLY.match(line) or _HEADINGS.get(line.lstrip()[:7])
            of_zos, console = _REPLY_OF_ZOS.match(line), _CONSOLE.match(line)
            named, dated = _CHECKMK.match(line), _date(line)
            banner = None if self.subject else _BANNER.search(line)
            if self.subject and (
                reply or of_zos or console or named or dated or _END.match(line) or not line.strip()
            ):
                yield self.qmgr, self.now, self._taken()
            if reply:
                self.begin, self.subject = number, (reply[1] or reply[2]).lower()
            elif of_zos:
                self.begin = number
                self.subject = of_zos[1]
                self.lines = [of_zos[3]]
                self.qmgr = of_zos[2] or self.qmgr
            elif console:
                self.begin = number
                self.qmgr = console[1]
                self.subject = console[2].lower()
            elif named:
                self.qmgr, self.now = named[1], _moment(named[2] or "")
            elif dated:
                self.now = dated
            elif banner:
                self.qmgr = banner[1] or banner[2]
            elif self.subject and line.lstrip().startswith(",") and self.lines:
                self.lines[-1] += line.strip()
            elif self.subject:
                self.lines.append(line)
        if self.subject:
            yield self.qmgr, self.now, self._taken()

    def _taken(self) -> Shown:
        pairs = [pair for line in self.lines for pair in _attributes(line)]
        values = {
            word: HIDDEN if is_secret_name(word) else without_secrets(value.strip())
            for word, value in pairs
        }
        shown = Shown(self.begin, self.subject, values)
        self.subject, self.lines = "", []
        return shown


def _attributes(line: str) -> list[tuple[str, str]]:
    """The attributes in a line."""
    return [pair for part in _columns(line) for pair in _column_attributes(part)] or _split(line)


def _columns(line: str) -> list[str]:
    """The columns of a line, if it has the layout of runmqsc; none for another layout."""
    first = line[:_PADDED]
    gap = line[_PADDED:_SECOND]
    second = line[_SECOND:]
    if first[:_INDENT].strip() or len(first) < _PADDED or gap.strip() or second[:1].isspace():
        return []
    if second and len(gap) < _SECOND - _PADDED:
        return []
    return [each.strip() for each in (first, second) if each.strip()]


def _column_attributes(text: str) -> list[tuple[str, str]]:
    """The attribute that fills a column, if its value is free text; else as many as there are."""
    whole = _WHOLE.fullmatch(text)
    if whole is not None and (whole[1] in _free_texts() or not _CLOSING.search(whole[2] or "")):
        return [(whole[1], whole[2] or "")]
    return _split(text)


@cache
def _free_texts() -> frozenset[str]:
    """The keywords of definitions whose values may be any text."""
    rows = [row for kind in KINDS.values() for row in kind.attributes.values()]
    others = {row.keyword for row in rows if not isinstance(row.type, Text) or row.secret}
    return frozenset(row.keyword for row in rows).difference(others)


def _split(text: str) -> list[tuple[str, str]]:
    """The attributes in a text, one behind the other; words between them that are none are left
    out.
    """
    pairs = list[tuple[str, str]]()
    at = 0
    while keyword := _KEYWORD.search(text, at):
        at = keyword.end()
        if not keyword[2]:
            pairs.append((keyword[1], ""))
            continue
        end = _end_of_value(text, at)
        if end < 0:
            continue
        pairs.append((keyword[1], text[at:end]))
        at = end + 1
    return pairs


def _end_of_value(text: str, start: int) -> int:
    """Where the value that starts there ends: at the first parenthesis that can end it and leaves
    none open in it, else at the first that can end it; -1 if none can.
    """
    possible = [each.start() for each in _CLOSING.finditer(text, start)]
    closed = (end for end in possible if text.count("(", start, end) <= text.count(")", start, end))
    return next(closed, possible[0] if possible else -1)


def _moment(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z")
    except ValueError:
        return None


def _date(line: str) -> datetime | None:
    """The time that `date` printed; a local one if it names a zone by letters other than UTC and
    GMT.
    """
    text = line.strip()
    if _DATE.fullmatch(text) is None:
        return None
    with suppress(ValueError):
        return datetime.fromisoformat(text)
    zone = _ZONE.search(text)
    named = "" if zone is None else zone[1]
    offset = (
        UTC
        if named in ("UTC", "GMT")
        else timezone(timedelta(hours=int(named)))
        if named[1:].isdigit()
        else None
    )
    for form in _FORMS:
        with suppress(ValueError):
            return datetime.strptime(" ".join(_ZONE.sub("", text).split()), form).replace(
                tzinfo=offset,
            )
    return None


def transcript(_: str, files: Sequence[ImportFile], options: ImportOptions) -> Iterator[Imported]:
    """Record what the transcripts show as observations; with `apply` make the definitions that
    they show.
    """
    if options.apply:
        yield from planned_or_done(
            options,
            lambda given: (_declared(file, given) for file in files),
        )
    else:
        with destination(options) as store:
            for file in files:
                yield _Observations(store, options, file).run()


def shown_by(lines: Iterator[str]) -> Iterator[Shown]:
    """The objects that the output of DISPLAY commands shows."""
    return (shown for _, _, shown in _Reader().shown(lines))


def _shown_in(file: ImportFile, encoding: str) -> Iterator[tuple[str, datetime | None, Shown]]:
    with file.opened() as stream:
        yield from _Reader().shown(decoded(line, encoding).rstrip("\n") for line in stream)


# Observations.


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
        for qmgr, now, shown in _shown_in(self._file, self._options.encoding):
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
        key = (
            key_of(KINDS[type_], "" if type_ == "QMGR" else shown.name, values)
            if type_ in KINDS
            else ()
        )
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


# Definitions.


def _declared(file: ImportFile, options: ImportOptions) -> Imported:
    """Make the definitions that a transcript shows; what it shows of states is left out."""
    outcome = Imported(file.name, "transcript")
    commands = list[tuple[int, str]]()
    states = 0
    for qmgr, _, shown in _shown_in(file, options.encoding):
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
    verb = "ALTER" if kind.keyword == "QMGR" else "SET" if kind.identity else "DEFINE"
    name = "" if kind.keyword == "QMGR" else shown.name
    return one_line(ExportCommand(verb, Exported(kind, name, values), values))
