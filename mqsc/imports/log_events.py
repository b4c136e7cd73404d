"""What messages of error logs say that happened, as events of the history (import-events §3).

log_events.csv has a row for each message that is another kind than LOG: its channel, application,
user and address are in the inserts that the row names. `folds`: the record is only the reason of an
AMQ9999 of the same process and thread that follows it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.json import encode

from mqsc.imports.error_log import LogRecord
from mqsc.imports.recognition import Remark
from mqsc.imports.source_text import Piece
from mqsc.language.foreign_secrets import may_have_secrets, without_secrets
from mqsc.store.environment import MICROSECONDS
from mqsc.store.sql.rows import EventRow
from mqsc.store.table import table

_ENDED_ABNORMALLY = "9999"
# The first task of a queue manager that starts.
_TASK_STARTED, _FIRST_TASK = "5051", "LOGGER-IO"
# A start is reported by several messages within so long.
_ONE_START = 120 * MICROSECONDS
_CHANNEL = re.compile(r"[Cc]hannel (?:'([^']+)'|([A-Z0-9][A-Z0-9._/%]*)(?![a-z]))")
_NAMED = re.compile(r"'([^']+)'")
_MAPPED_USER = re.compile(r"(?:CLNTUSER|MCAUSER)\(([^)]*)\)")
_UNKNOWN = "????"
_NAME = re.compile(r"[A-Za-z0-9._/%@#$]{1,48}")
# Behind the name of a queue manager whose events were imported where the store has one of its name.
APART = ".IMPORTED"


class _Meaning(NamedTuple):
    """A row of log_events.csv."""

    kind: str
    cause: str
    channel: str
    application: str
    user: str
    address: str
    folds: str


_MEANINGS = {
    row.pop("message"): _Meaning(**row)
    for row in table(
        __file__,
        "log_events.csv",
        ("message", "kind", "cause", "channel", "application", "user", "address", "folds"),
        {"folds": ("", "x")},
    )
}
_PLAIN = _Meaning("LOG", "", "", "", "", "", "")


class Origin(Struct, frozen=True):
    """Where records come from: the format and the name of the file, and whose they are if they do
    not say it.

    `renamed` has the names under which queue managers are imported instead of their own; those with
    the name of an `own` queue manager of the store get a name with APART behind it. A record
    without any time has that at which it was `taken_at`, microseconds UTC.
    """

    source: str
    file: str
    qmgr: str = ""
    renamed: Mapping[str, str] = {}
    own: frozenset[str] = frozenset()
    taken_at: int = 0

    def name(self, qmgr: str) -> str:
        """The name in the history of the queue manager that a record names, which may be blank."""
        # Anything may be in a file; subsystems of z/OS have @, # and $.
        name = qmgr if _NAME.fullmatch(qmgr) else self.qmgr
        return self.renamed.get(name) or (f"{name}{APART}" if name in self.own else name)

    def apart(self, names: str) -> list[Remark]:
        """What to say of those of the names, with commas between, that APART was put behind."""
        sentence = (
            "{} is a queue manager of this store, so the events of the real one are those of {} "
            "(--rename names another)"
        )
        changed = ((part.removesuffix(APART), part) for part in names.split(", "))
        return [
            Remark(self.file, sentence.format(*each))
            for each in changed
            if each[0] != each[1] and each[0] in self.own
        ]

    def detail(self, line: int, precision: str, zone: str) -> dict[str, Any]:
        """The part of `detail` that every imported event has."""
        detail: dict[str, Any] = {
            "source": self.source,
            "file": self.file,
            "line": line,
            "precision": precision,
        }
        return {**detail, "zone": zone} if zone else detail


def detail_text(detail: Mapping[str, Any]) -> str:
    """The details of an event as JSON, with asterisks in place of secrets."""
    text = encode(detail).decode()
    return encode(without_secrets(detail)).decode() if may_have_secrets(text) else text


class Entry(Struct):
    """A record that was read and its events, which later records may still change. `identity` tells
    it from others.

    `units` are the units of work of a trace that are open after it.
    """

    piece: Piece
    record: Any
    identity: tuple[object, ...]
    qmgr: str
    events: Sequence[EventRow] = ()
    units: Mapping[int, Any] = {}


def understand(record: LogRecord, before: deque[Entry], origin: Origin) -> Entry:
    """The record as an entry after those `before` it, of which it may fold one: that has no
    events then.
    """
    number = record.message_id[3:7]
    meaning = _meaning(record.message_id)
    folded = _folded(record, before) if number == _ENDED_ABNORMALLY else None
    if number == _TASK_STARTED and record.inserts.get("CommentInsert1") == _FIRST_TASK:
        meaning = _PLAIN._replace(kind="START")
    named = (
        record.inserts.get("CommentInsert3", "")
        if number in ("8001", "8002", "8003", "8004")
        else ""
    )
    qmgr = origin.name(record.qmgr or named)
    if meaning.kind == "START" and _has_started(record, before, qmgr):
        meaning = _PLAIN
    reason = folded.record if folded is not None else record
    event = _event(
        record,
        meaning,
        origin.detail(record.piece.line, record.precision, record.zone),
        qmgr,
        reason,
    )
    return Entry(
        record.piece,
        record,
        (record.qmgr or origin.qmgr, *record.identity()),
        qmgr,
        (event,),
    )


def _meaning(id: str) -> _Meaning:
    """The row of a message; those of a channel initiator on z/OS have the numbers of AMQ
    messages.
    """
    return (
        _MEANINGS.get(id)
        or _MEANINGS.get(f"9{id[4:7]}" if id.startswith("CSQX") else id[3:7])
        or _PLAIN
    )


def _folded(record: LogRecord, before: deque[Entry]) -> Entry | None:
    """The record before of the same process and thread, if it is the reason; its events are
    removed.
    """
    place = record.host, record.process, record.thread
    for entry in reversed(before):
        other = entry.record
        if (other.host, other.process, other.thread) == place:
            if not _meaning(other.message_id).folds:
                return None
            entry.events = ()
            return entry
    return None


def _has_started(record: LogRecord, before: deque[Entry], qmgr: str) -> bool:
    """Whether another message has reported the same start."""
    events = [event for entry in before for event in entry.events if event.qmgr == qmgr]
    return any(event.kind == "START" and abs(event.at - record.at) < _ONE_START for event in events)


def _event(
    record: LogRecord,
    meaning: _Meaning,
    common: Mapping[str, Any],
    qmgr: str,
    reason: LogRecord,
) -> EventRow:
    inserts = record.inserts
    text = f"{reason.message_id}: {reason.text}"
    user, cause = inserts.get(meaning.user, "") if meaning.user else record.user, meaning.cause
    mapped = _MAPPED_USER.search(user) if meaning.kind == "REFUSE" else None
    if meaning.kind == "END" and "immediate" in record.text.lower():
        cause = "immediate"
    detail = {
        **common,
        **(
            {"message": text}
            if meaning.kind == "CHANNEL"
            else {"message_id": record.message_id, "text": record.text}
        ),
        "inserts": inserts,
        "program": record.program,
        "process_id": record.process,
        "host": record.host,
        "severity": record.severity,
        "address": inserts.get(meaning.address, ""),
    }
    return EventRow(
        at=record.at,
        qmgr=qmgr,
        kind=meaning.kind,
        cause=cause or None,
        target=_channel(record, reason, meaning) if meaning.kind in ("CHANNEL", "REFUSE") else None,
        application=inserts.get(meaning.application, "") if meaning.application else record.program,
        user=mapped[1] if mapped is not None else user,
        detail=detail_text({key: value for key, value in detail.items() if value}),
    )


def _channel(record: LogRecord, reason: LogRecord, meaning: _Meaning) -> str | None:
    """The channel of a record: in an insert, else as its text names it, in English."""
    channel = record.inserts.get(meaning.channel, "")
    if not channel:
        channel = _channel_in_text(record, reason, meaning)
    return channel if channel and channel != _UNKNOWN else None


def _channel_in_text(record: LogRecord, reason: LogRecord, meaning: _Meaning) -> str:
    names = _CHANNEL.search(record.text) or _CHANNEL.search(reason.text)
    if names is not None:
        return names[1] or names[2]
    named = _NAMED.search(record.text) if meaning.channel else None
    return "" if named is None else named[1]
