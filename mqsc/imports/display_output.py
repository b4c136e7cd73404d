"""The output of DISPLAY in a transcript: the objects that it shows, with their attributes and the
time.

An attribute ends at the parenthesis that closes it, if blanks and another attribute or the end of
the line follow. Nothing depends on columns, so that text that lost its padding or its indentation
is read too. They help only where they are whole: a free text in the columns of runmqsc may have
parentheses that say otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from typing import NamedTuple

from msgspec import Struct, field

from mqsc.imports.recognition import ImportFile
from mqsc.imports.source_text import decoded
from mqsc.language.foreign_secrets import is_secret_name, without_secrets
from mqsc.language.secrets import HIDDEN
from mqsc.store.catalog import KINDS
from mqsc.store.catalog.status import STATUS_KINDS
from mqsc.store.catalog.types import Text

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
# The words at the beginning of a reply whose value is the name of an object; subsystems of z/OS
# have @, # and $ in it.
_WITH_NAMES = frozenset(
    "QUEUE CHANNEL CHSTATUS PROCESS NAMELIST TOPIC AUTHINFO LISTENER SERVICE COMMINFO STGCLASS "
    "CFSTRUCT QMNAME".split(),
)
_NAME = re.compile(r"[A-Za-z0-9._/%@#$+]{0,48}")
# The most characters of a wrong name in a sentence.
_SHOWN = 60
_IDENTIFIER = "SUBID"


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
    """The attributes in a text, in their order. Words that are not attributes are skipped."""
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
    offset: timezone | None = None
    if named in ("UTC", "GMT"):
        offset = UTC
    elif named[1:].isdigit():
        offset = timezone(timedelta(hours=int(named)))
    for form in _FORMS:
        with suppress(ValueError):
            return datetime.strptime(" ".join(_ZONE.sub("", text).split()), form).replace(
                tzinfo=offset,
            )
    return None


def shown_by(lines: Iterator[str]) -> Iterator[Shown]:
    """The objects that the output of DISPLAY commands shows."""
    return (shown for _, _, shown in _Reader().shown(lines))


def displayed_in(file: ImportFile, encoding: str) -> Iterator[tuple[str, datetime | None, Shown]]:
    with file.opened() as stream:
        yield from _Reader().shown(decoded(line, encoding).rstrip("\n") for line in stream)
