"""Expired messages: one statement writes the history of many and one removes them; counts that discard nothing."""

from __future__ import annotations

from typing import Any, NamedTuple

from store.sql.core import *
from store.sql.history import detail_of, message_events
from store.sql.rows import StoredMessage
from store.sql.statements import Cause, change, first_tuple, one, rows, tuples, value
from store.sqlite.database import Queries, Transaction

_m = message.c


def _discardable(queue: int, now: int) -> ColumnElement[bool]:
    return (_m.queue == queue) & expired(now) & READY & UNLOCKED


def _batch(queue: int, now: int, limit: int) -> Select[Any]:
    found = select(_m.id).where(_discardable(queue, now), not_(ASKS_FOR_EXPIRY_REPORT))
    return found.order_by(_m.expires_at).limit(limit)


@change
def _record_batch(cause: Cause, why: str, detail: str | None, queue: int, limit: int) -> ClauseElement:
    columns, events = message_events(constant("EXPIRE"), cause, cause=why, detail=detail)
    return insert(event).from_select(columns, events.where(_m.id.in_(_batch(queue, cause[0], limit))))


@change
def _remove_batch(queue: int, now: int, limit: int) -> ClauseElement:
    return delete(message).where(_m.id.in_(_batch(queue, now, limit)))


def discard_silently(tx: Transaction, cause: Cause, why: str, queue: int, limit: int, *, member: str = "") -> int:
    """Discard up to `limit` expired messages of a queue that asked for no report; return how many.

    Records an EXPIRE event with the cause `why` for each. The caller lowers the depth of the queue. `member` of a
    queue-sharing group discards them from a shared queue.
    """
    _record_batch(tx, cause, why, detail_of(member), queue, limit)
    return _remove_batch(tx, queue, cause[0], limit)


@rows(StoredMessage)
def asking_for_report(queue: int, now: int, limit: int) -> ClauseElement:
    """Return up to `limit` expired messages of a queue that asked for an expiration report."""
    found = select(message).where(_discardable(queue, now), ASKS_FOR_EXPIRY_REPORT)
    return found.order_by(_m.expires_at).limit(limit)


@rows(StoredMessage)
def discardable(queue: int, now: int, limit: int) -> ClauseElement:
    """Return up to `limit` expired messages of a queue, with empty data."""
    return select(*WITHOUT_BODY).where(_discardable(queue, now)).order_by(_m.expires_at).limit(limit)


@change
def set_earliest_expiry(id: int) -> ClauseElement:
    """Store when the next message of the queue expires, so that scans skip the queue until then."""
    earliest = select(func.min(_m.expires_at)).where(_m.queue == id, _m.expires_at.is_not(None))
    return update(queue).where(queue.c.id == id).values(earliest_expiry=earliest.scalar_subquery())


@value(int)
def count_expired(queue: int, now: int) -> ClauseElement:
    """Return how many messages that count towards the depth are expired, even if locked or uncommitted (expiry X13)."""
    return select(func.count()).where(_m.queue == queue, expired(now), COUNTS_TOWARDS_DEPTH)


class ExpiredCounts(NamedTuple):
    """The expired messages of a queue: all, those that a scan would discard, and those of them that ask for a report.

    `since` is when the first of them expired, `length` the bytes of their data.
    """

    expired: int
    scannable: int
    reporting: int
    since: int | None
    length: int


def _on_queue(queue: int) -> ColumnElement[bool]:
    return (_m.queue == queue) & COUNTS_TOWARDS_DEPTH


@one(ExpiredCounts)
def expired_counts(queue: int, now: int) -> ClauseElement:
    scannable = READY & UNLOCKED
    return select(
        func.count(),
        func.coalesce(func.sum(scannable), ZERO),
        func.coalesce(func.sum(scannable & ASKS_FOR_EXPIRY_REPORT), ZERO),
        func.min(_m.expires_at),
        func.coalesce(func.sum(_m.length), ZERO),
    ).where(_on_queue(queue), expired(now))


@first_tuple
def _first_live(queue: int, now: int) -> ClauseElement:
    found = select(_m.rank, _m.sequence).where(_on_queue(queue), READY & UNLOCKED, not_expired(now))
    return found.order_by(_m.rank.desc(), _m.sequence).limit(ONE)


@value(int)
def _count_before(queue: int, rank: int, sequence: int) -> ClauseElement:
    before = or_(_m.rank > rank, and_(_m.rank == rank, _m.sequence < sequence))
    return select(func.count()).where(_on_queue(queue), READY & UNLOCKED, before)


def count_before_first_live(tx: Queries, queue: int, now: int) -> int | None:
    """Return how many expired messages precede the first live one, or None when there is no live one."""
    live = _first_live(tx, queue, now)
    return None if live is None else _count_before(tx, queue, *live)


@tuples
def next_expiries(queue: int, now: int, limit: int) -> ClauseElement:
    """Return the next moments at which messages expire, each with the number of messages."""
    found = select(_m.expires_at, func.count()).where(_on_queue(queue), expires_later(now))
    return found.group_by(_m.expires_at).order_by(_m.expires_at).limit(limit)


@tuples
def putters(queue: int, now: int) -> ClauseElement:
    """Return (application, user, messages, first expiry) of those who put expired messages, most messages first."""
    putter = _m.put_appl_name, _m.user_identifier
    found = select(*putter, func.count(), func.min(_m.expires_at)).where(_on_queue(queue), expired(now))
    return found.group_by(*putter).order_by(func.count().desc(), *putter)
