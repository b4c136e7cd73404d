"""Expired messages: one statement writes the history of many and one removes them; counts that
discard nothing.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    ClauseElement,
    ColumnElement,
    Select,
    and_,
    delete,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)

from mqsc.store.sql.cause import Cause
from mqsc.store.sql.core.conditions import (
    ASKS_FOR_EXPIRY_REPORT,
    COUNTS_TOWARDS_DEPTH,
    ONE,
    READY,
    UNLOCKED,
    WITHOUT_BODY,
    ZERO,
    constant,
    expired,
    expires_later,
    not_expired,
)
from mqsc.store.sql.core.declaring import Placeholder, statement
from mqsc.store.sql.core.history import message_events
from mqsc.store.sql.core.schema import event, message, queue as queue_table

_m = message.c


def _discardable(queue: int, now: int) -> ColumnElement[bool]:
    return (_m.queue == queue) & expired(now) & READY & UNLOCKED


def _batch(queue: int, now: int, limit: int) -> Select[Any]:
    query = select(_m.id).where(_discardable(queue, now), not_(ASKS_FOR_EXPIRY_REPORT))
    return query.order_by(_m.expires_at).limit(limit)


@statement
def record_batch(
    cause: Cause,
    why: Placeholder,
    detail: Placeholder,
    queue: Placeholder,
    limit: Placeholder,
) -> ClauseElement:
    columns, events = message_events(constant("EXPIRE"), cause, cause=why, detail=detail)
    return insert(event).from_select(
        columns,
        events.where(_m.id.in_(_batch(queue, cause[0], limit))),
    )


@statement
def remove_batch(queue: Placeholder, now: Placeholder, limit: Placeholder) -> ClauseElement:
    return delete(message).where(_m.id.in_(_batch(queue, now, limit)))


@statement
def asking_for_report(queue: Placeholder, now: Placeholder, limit: Placeholder) -> ClauseElement:
    query = select(message).where(_discardable(queue, now), ASKS_FOR_EXPIRY_REPORT)
    return query.order_by(_m.expires_at).limit(limit)


@statement
def discardable(queue: Placeholder, now: Placeholder, limit: Placeholder) -> ClauseElement:
    return (
        select(*WITHOUT_BODY).where(_discardable(queue, now)).order_by(_m.expires_at).limit(limit)
    )


@statement
def set_earliest_expiry(id: Placeholder) -> ClauseElement:
    earliest = select(func.min(_m.expires_at)).where(_m.queue == id, _m.expires_at.is_not(None))
    return (
        update(queue_table)
        .where(queue_table.c.id == id)
        .values(earliest_expiry=earliest.scalar_subquery())
    )


@statement
def count_expired(queue: Placeholder, now: Placeholder) -> ClauseElement:
    return select(func.count()).where(_m.queue == queue, expired(now), COUNTS_TOWARDS_DEPTH)


def _on_queue(queue: int) -> ColumnElement[bool]:
    return (_m.queue == queue) & COUNTS_TOWARDS_DEPTH


@statement
def expired_counts(queue: Placeholder, now: Placeholder) -> ClauseElement:
    scannable = READY & UNLOCKED
    return select(
        func.count(),
        func.coalesce(func.sum(scannable), ZERO),
        func.coalesce(func.sum(scannable & ASKS_FOR_EXPIRY_REPORT), ZERO),
        func.min(_m.expires_at),
        func.coalesce(func.sum(_m.length), ZERO),
    ).where(_on_queue(queue), expired(now))


@statement
def first_live(queue: Placeholder, now: Placeholder) -> ClauseElement:
    query = select(_m.rank, _m.sequence).where(_on_queue(queue), READY & UNLOCKED, not_expired(now))
    return query.order_by(_m.rank.desc(), _m.sequence).limit(ONE)


@statement
def count_before(queue: Placeholder, rank: Placeholder, sequence: Placeholder) -> ClauseElement:
    before = or_(_m.rank > rank, and_(_m.rank == rank, _m.sequence < sequence))
    return select(func.count()).where(_on_queue(queue), READY & UNLOCKED, before)


@statement
def next_expiries(queue: Placeholder, now: Placeholder, limit: Placeholder) -> ClauseElement:
    query = select(_m.expires_at, func.count()).where(_on_queue(queue), expires_later(now))
    return query.group_by(_m.expires_at).order_by(_m.expires_at).limit(limit)


@statement
def putters(queue: Placeholder, now: Placeholder) -> ClauseElement:
    putter = _m.put_appl_name, _m.user_identifier
    query = select(*putter, func.count(), func.min(_m.expires_at)).where(
        _on_queue(queue),
        expired(now),
    )
    return query.group_by(*putter).order_by(func.count().desc(), *putter)
