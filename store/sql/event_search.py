"""Events of the history by what they are about."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from store.published import EVENT_COLUMNS
from store.sql.clauses import ONE, literal, values_of
from store.sql.file_format import UNIT_BITS
from store.sql.tables import event, object_, queue
from store.sqlite.database import Queries
from store.sqlite.expressions import Column, ColumnElement, and_, bindparam, func, or_, select
from store.sqlite.statement import Statement

_e, _o, _q = event.c, object_.c, queue.c
_QUEUES = ("QLOCAL", "QALIAS", "QREMOTE", "QMODEL")
# Events whose `target` is a queue, and those whose `queue` may be another object.
_TO_QUEUES = ("TRIGGER", "TRIGGER_LOST", "DEAD_LETTER", "REQUEUE", "FORWARD", "REPORT", "REPORT_LOST", "MOVE")
_ON_OBJECTS = ("DEFINE", "ALTER", "SET", "DELETE")


def _one_of(column: Column[Any], values: tuple[str, ...]) -> ColumnElement[bool]:
    return column.in_(map(literal, values))


def _named(column: Column[Any]) -> ColumnElement[bool]:
    # A blank upper limit is none.
    return and_(column >= bindparam("low"), or_(column < bindparam("high"), bindparam("high") == literal("")))


_CONDITIONS: Mapping[str, ColumnElement[bool]] = {
    "low": or_(
        _named(_e.queue) & or_(_e.kind.not_in(map(literal, _ON_OBJECTS)), _one_of(_e.target, _QUEUES)),
        _named(_e.target) & _one_of(_e.kind, _TO_QUEUES),
    ),
    # An event of a shared queue has the group as its queue manager.
    "qmgr": or_(_e.qmgr == bindparam("qmgr"), func.json_extract(_e.detail, literal("$.member")) == bindparam("qmgr")),
    "unit": _e.unit == bindparam("unit"),
    "connection": or_(
        _e.connection == bindparam("connection"), _e.unit.op(">>")(literal(UNIT_BITS)) == bindparam("connection")
    ),
    "since": _e.at >= bindparam("since"),
    "until": _e.at < bindparam("until"),
    "kinds": _e.kind.in_(values_of("kinds")),
    "causes": _e.cause.in_(values_of("causes")),
    "numbers": _e.seq.in_(values_of("numbers")),
}


@lru_cache(maxsize=16)
def _search(names: tuple[str, ...], newest_first: bool) -> Statement:
    conditions = [_CONDITIONS[name] for name in names if name in _CONDITIONS]
    chosen = select(*(_e[column.name] for column in EVENT_COLUMNS)).where(
        _e.seq.between(bindparam("first"), bindparam("last")), *conditions
    )
    return Statement(chosen.order_by(_e.seq.desc() if newest_first else _e.seq).limit(bindparam("most")))


def usual_statements() -> Iterator[Statement]:
    """Yield the searches for queues and units of work, and that for all events."""
    for names in ((), ("qmgr",), ("low", "high", "qmgr"), ("unit", "qmgr")):
        for newest_first in (False, True):
            yield _search(names, newest_first)


def search(
    tx: Queries, first: int, last: int, wanted: Mapping[str, Any], most: int, *, newest_first: bool = False
) -> list[tuple[Any, ...]]:
    """Return up to `most` events numbered `first` to `last`, in order, with the values of EVENT_COLUMNS.

    `wanted`: `low` and `high`, between which the name of a queue is; `qmgr`, `unit`, `connection`; `since`, and `until`
    before which it happened; lists of `kinds`, `causes` and `numbers`. A missing value matches anything. Every event in
    the range is read, so keep it short.
    """
    values = {name: json.dumps(value) if isinstance(value, list) else value for name, value in wanted.items()}
    return tx.all(_search(tuple(wanted), newest_first), {"first": first, "last": last, "most": most, **values})


_DEFINED = Statement(select(ONE).select_from(queue).where(_named(_q.name)).limit(ONE))
_DEFINED_AT = Statement(select(ONE).select_from(queue).where(_named(_q.name), _q.owner == bindparam("qmgr")).limit(ONE))


def queue_is_defined(tx: Queries, low: str, high: str, qmgr: str | None) -> bool:
    """Return whether there is such a queue now, of any owner or of that one."""
    values = {"low": low, "high": high}
    return tx.one(_DEFINED if qmgr is None else _DEFINED_AT, {**values, "qmgr": qmgr}) is not None
