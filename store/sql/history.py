"""The history: events are appended and never changed.

Events of messages that are still in their table are written by INSERT ... SELECT, so that Python need not read them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from store.sql.core import *
from store.sql.objects import to_json
from store.sql.rows import EventRow
from store.sql.statements import CAUSE, Cause, first_tuple, for_each, in_order, insertion, rows, tuples, value
from store.sqlite.database import Queries, Transaction
from store.sqlite.statement import Row, insert_text

_m, _e = message.c, event.c
_APPEND = insert_text("event", EventRow._fields)


def append(tx: Transaction, row: EventRow | Mapping[str, Any]) -> None:
    """Record an event; columns that are not given are NULL. The detail of a mapping may be one, too."""
    if isinstance(row, EventRow):
        tx.execute(_APPEND, row)
    else:
        row = _with_text(row)
        tx.execute(insert_text("event", tuple(row)), tuple(row.values()))


def append_all(tx: Transaction, rows: Sequence[EventRow | Mapping[str, Any]]) -> None:
    """Record events in order, each as `append` does."""
    tx.execute_for_each(_APPEND, [row if isinstance(row, EventRow) else EventRow(**_with_text(row)) for row in rows])


def _with_text(row: Mapping[str, Any]) -> Mapping[str, Any]:
    detail = row.get("detail")
    return row if detail is None or isinstance(detail, str) else {**row, "detail": to_json(detail)}


def message_events(kind: Any, by: Cause, **more: Any) -> tuple[list[str], Select[Any]]:
    """Return the columns of an event of that kind, and the SELECT that gives their values for messages."""
    now, qmgr, name, connection, application, user = by
    columns: dict[str, Any] = {
        "at": now, "qmgr": qmgr, "queue": name, "msg_id": _m.msg_id, "correl_id": _m.correl_id,
        "priority": _m.priority, "persistence": _m.persistence, "length": _m.length, "put_at": _m.put_at,
        "expires_at": _m.expires_at, "put_application": _m.put_appl_name, "put_user": _m.user_identifier,
        "connection": connection, "application": application, "user": user, "kind": kind, **more,
    }  # fmt: skip
    return list(columns), select(*(value.label(name) for name, value in columns.items()))


@insertion
def _record(
    cause: Cause, kind: str, why: str | None, reason: int | None, detail: str | None, first: int, last: int
) -> ClauseElement:
    columns, events = message_events(kind, cause, unit=_m.unit, cause=why, reason=reason, detail=detail)
    return insert(event).from_select(columns, events.where(_m.id.between(first, last)).order_by(_m.id))


@in_order(f"{' '.join(CAUSE)} kind first last")
def _record_plainly(cause: Cause, kind: str, first: int, last: int) -> ClauseElement:
    # In a third less time, which matters because every put and get does it.
    columns, events = message_events(kind, cause, unit=_m.unit)
    return insert(event).from_select(columns, events.where(_m.id.between(first, last)).order_by(_m.id))


@lru_cache(maxsize=256)
def detail_of(member: str, mark: str = "") -> str | None:
    """Return the detail of an event that a member of a queue-sharing group causes on a shared queue, or with a mark."""
    found = {"member": member} if member else {}
    return to_json(found | ({"mark": mark} if mark else {})) if member or mark else None


def record_puts(
    tx: Transaction, cause: Cause, first: int, last: int, *, member: str = "", copies: bool = False
) -> None:
    """Record that the messages with these row numbers were put; `copies`: for a stream queue.

    `member` of a queue-sharing group put them on a shared queue.
    """
    if member or copies:
        _record(tx, cause, "PUT", "stream" if copies else None, None, detail_of(member), first, last)
    else:
        tx.execute(_record_plainly.text, (*cause, "PUT", first, last))


def record_dead_letter_put(
    tx: Transaction, cause: Cause, id: int, reason: int, detail: Mapping[str, object], *, copies: bool = False
) -> int:
    """Record that a message was put, with the reason and details of its dead-letter header; the number of the event."""
    return _record(tx, cause, "PUT", "stream" if copies else None, reason, to_json(detail), id, id)


def record_get(tx: Transaction, cause: Cause, id: int, *, member: str = "", marked: bool = False) -> None:
    """Record that a message was got: before it is removed, or after a unit of work has reserved it.

    `marked`: with MQGMO_MARK_SKIP_BACKOUT. `member` of a queue-sharing group got it from a shared queue.
    """
    if member or marked:
        _record(tx, cause, "GET", None, None, detail_of(member, "skip backout" if marked else ""), id, id)
    else:
        tx.execute(_record_plainly.text, (*cause, "GET", id, id))


def record_ranges(tx: Transaction, by: Cause, kind: str, why: str | None, ranges: Iterable[Row], member: str) -> None:
    """Record an event of that kind, with the cause `why`, for each of the messages with these row numbers, in order."""
    for_each(tx, _record, [(*by, kind, why, None, detail_of(member), *each) for each in ranges])


# Later than any time, and greater than any number of an event.
_ALWAYS = 1 << 62


@value(int)
def times_moved(
    qmgr: str,
    queue: str,
    msg_id: bytes,
    correl_id: bytes | None,
    target: str | None = None,
    until: int = _ALWAYS,
    last: int = _ALWAYS,
) -> ClauseElement:
    """Return how often a message with these ids was moved from a queue (REQUEUE, FORWARD); None for a zero CorrelId.

    Only moves to `target`, if it is given, at the time `until` or earlier, and up to the event with number `last`.
    """
    return (
        select(func.count())
        .select_from(event)
        .where(
            _e.queue == queue,
            _e.msg_id == msg_id,
            # As in the partial index.
            literal_column("kind IN ('REQUEUE', 'FORWARD')"),
            _e.qmgr == qmgr,
            _e.correl_id.is_(correl_id),
            _e.at <= until,
            _e.seq <= last,
            func.coalesce(target, _e.target).is_(_e.target),
        )
    )


class RefusalRow(NamedTuple):
    """An event REFUSE; `detail` is JSON."""

    seq: int
    at: int
    cause: str
    user: str
    application: str
    queue: str | None
    connection: int | None
    detail: str | None


@rows(RefusalRow)
def refusals(qmgr: str, since: int, limit: int) -> ClauseElement:
    """Return up to `limit` refusals of a queue manager since a time, the last first."""
    found = select(_e.seq, _e.at, _e.cause, _e.user, _e.application, _e.queue, _e.connection, _e.detail)
    # As in the partial index.
    return (
        found.where(_e.qmgr == qmgr, literal_column("kind = 'REFUSE'"), _e.at >= since)
        .order_by(_e.seq.desc())
        .limit(limit)
    )


@value(int)
def last_number() -> ClauseElement:
    """Return the number of the last event that was ever recorded, 0 for none."""
    # The sequence as well: the last events may be pruned.
    return text("SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0)")


@first_tuple
def bound() -> ClauseElement:
    """Return the numbers of the store's last event and last message, 0 for none."""
    return select(*(func.coalesce(select(func.max(each)).scalar_subquery(), ZERO) for each in (_e.seq, _m.id)))


class LastGet(NamedTuple):
    """Who had got a message, in which unit of work, and the number of that event."""

    application: str
    user: str
    unit: int
    detail: str | None
    seq: int


@tuples
def _last_gets(qmgr: str, queue: str, listed: list[str], first: int, last: int) -> ClauseElement:
    found = select(_e.msg_id, _e.application, _e.user, _e.unit, _e.detail, func.max(_e.seq)).where(
        _e.seq.between(first, last),
        _e.kind == constant("GET"),
        _e.qmgr == qmgr,
        _e.queue == queue,
        _e.unit.is_not(None),
        func.hex(_e.msg_id).in_(values_of(listed)),
    )
    return found.group_by(_e.msg_id)


def last_gets(
    tx: Queries, qmgr: str, queue: str, msg_ids: Iterable[bytes], first: int, last: int
) -> dict[bytes, LastGet]:
    """Return the last gets in units of work of messages of a queue, by MsgId, among the events with these numbers."""
    found = _last_gets(tx, qmgr, queue, [each.hex().upper() for each in msg_ids], first, last)
    return {msg_id: LastGet._make(rest) for msg_id, *rest in found}


@tuples
def _backouts(units: list[int], after: int) -> ClauseElement:
    return select(_e.unit, _e.at, _e.cause, _e.detail).where(
        _e.seq > after, _e.kind == constant("BACKOUT"), _e.unit.in_(values_of(units))
    )


def backouts(tx: Queries, units: Iterable[int], after: int) -> dict[int, tuple[int, str, str]]:
    """Return (time, cause, detail) of the backouts of these units of work, by unit, after the event of that number."""
    return {unit: (at, cause, detail) for unit, at, cause, detail in _backouts(tx, list(units), after)}
