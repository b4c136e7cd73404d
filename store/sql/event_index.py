"""The index of the history: what is in a segment, and the entries made of that."""

from __future__ import annotations

from typing import Any

from store.sql.clauses import literal
from store.sql.file_format import UNIT_BITS
from store.sql.tables import event, event_segment
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import bindparam, func, insert, select, union
from store.sqlite.statement import Statement

_e, _s = event.c, event_segment.c
_RANGE = _e.seq.between(bindparam("first"), bindparam("last"))
_FIRST = Statement(select(func.min(_e.seq)))
_LAST = Statement(select(func.max(_e.seq)))
_REPORTS = _e.kind.in_(map(literal, ("REPORT", "REPORT_LOST", "DEAD_LETTER")))
_ORIGINAL = func.unhex(func.json_extract(_e.detail, literal("$.original")))
_IDS = Statement(
    union(
        select(_e.msg_id).where(_RANGE),
        select(_e.correl_id).where(_RANGE),
        select(_ORIGINAL).where(_RANGE, _REPORTS),
    )
)
_UNITS = Statement(select(_e.unit).where(_RANGE, _e.unit.is_not(None)).distinct())
_OF_UNIT = _e.unit.op(">>")(literal(UNIT_BITS))
_FACTS = Statement(select(_e.kind, _e.cause, _e.queue, _e.target, _e.connection, _OF_UNIT).where(_RANGE).distinct())
_TIMES = Statement(select(func.min(_e.at), func.max(_e.at)).where(_RANGE))
_ENTRIES = Statement(
    select(_s.segment, _s.earliest, _s.latest, _s.prints)
    .where(_s.segment.between(bindparam("first"), bindparam("last")))
    .order_by(_s.segment)
)
_KNOWN = Statement(
    select(_s.segment).where(_s.segment.between(bindparam("first"), bindparam("last"))).order_by(_s.segment)
)
_COLUMNS = ("segment", "earliest", "latest", "prints")
# Another program may have made the same entry meanwhile.
_ADD = Statement(insert(event_segment).prefix_with("OR IGNORE").values({name: bindparam(name) for name in _COLUMNS}))


def bounds(tx: Queries) -> tuple[int, int]:
    """Return the numbers of the first and the last event that the store has; 1 and 0 if there is none."""
    first, last = tx.value(_FIRST), tx.value(_LAST)
    return (1, 0) if first is None else (int(first), int(last))


def ids(tx: Queries, first: int, last: int) -> list[bytes]:
    """Return every MsgId and CorrelId of the events numbered `first` to `last`, and the MsgIds that reports are on."""
    return [row[0] for row in tx.all(_IDS, {"first": first, "last": last}) if row[0] is not None]


def units(tx: Queries, first: int, last: int) -> list[int]:
    """Return the units of work of these events."""
    return [row[0] for row in tx.all(_UNITS, {"first": first, "last": last})]


def facts(tx: Queries, first: int, last: int) -> list[tuple[Any, ...]]:
    """Return the different values of kind, cause, queue, target, connection, and connection of the unit of work."""
    return tx.all(_FACTS, {"first": first, "last": last})


def times(tx: Queries, first: int, last: int) -> tuple[int | None, int | None]:
    """Return the earliest and the latest time of these events; None without any."""
    found: tuple[int | None, int | None] = tx.one(_TIMES, {"first": first, "last": last})
    return found


def entries(tx: Queries, first: int, last: int) -> list[tuple[int, int | None, int | None, bytes]]:
    """Return the entries of the segments numbered `first` to `last` that have one, in order."""
    return tx.all(_ENTRIES, {"first": first, "last": last})


def first_missing(tx: Queries, first: int, end: int) -> int | None:
    """Return the number of the first segment from `first` to before `end` that has no entry."""
    known = {row[0] for row in tx.all(_KNOWN, {"first": first, "last": end - 1})}
    return next((segment for segment in range(first, end) if segment not in known), None)


def add(tx: Transaction, entry: tuple[int, int | None, int | None, bytes]) -> None:
    """Add the entry of a segment, unless it is there."""
    tx.run(_ADD, dict(zip(_COLUMNS, entry, strict=True)))
