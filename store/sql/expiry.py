"""Expired messages: one statement writes the history of many and one removes them; counts that
discard nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mqsc.store.sql.cause import Cause
from mqsc.store.sql.history import detail_of
from mqsc.store.sql.results import every_row, first_value, only_row
from mqsc.store.sql.rows import StoredMessage
from mqsc.store.sql.texts import named_statements
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

SQL = named_statements(__file__)


def _record_batch(
    tx: Transaction,
    cause: Cause,
    why: str,
    detail: str | None,
    queue: int,
    limit: int,
) -> int:
    return tx.execute(SQL["record_batch"], (*cause, why, detail, queue, limit)).rowcount


def _remove_batch(tx: Transaction, queue: int, now: int, limit: int) -> int:
    return tx.execute(SQL["remove_batch"], (queue, now, limit)).rowcount


def discard_silently(
    tx: Transaction,
    cause: Cause,
    why: str,
    queue: int,
    limit: int,
    *,
    member: str = "",
) -> int:
    """Discard up to `limit` expired messages of a queue that asked for no report; return how many.

    Records an EXPIRE event with the cause `why` for each. The caller lowers the depth of the queue.
    `member` of a queue-sharing group discards them from a shared queue.
    """
    _record_batch(tx, cause, why, detail_of(member), queue, limit)
    return _remove_batch(tx, queue, cause[0], limit)


def asking_for_report(tx: Queries, queue: int, now: int, limit: int) -> list[StoredMessage]:
    """Return up to `limit` expired messages of a queue that asked for an expiration report."""
    return every_row(StoredMessage, tx.execute(SQL["asking_for_report"], (queue, now, limit)))


def discardable(tx: Queries, queue: int, now: int, limit: int) -> list[StoredMessage]:
    """Return up to `limit` expired messages of a queue, with empty data."""
    return every_row(StoredMessage, tx.execute(SQL["discardable"], (queue, now, limit)))


def set_earliest_expiry(tx: Transaction, id: int) -> int:
    """Store when the next message of the queue expires, so that scans skip the queue until then."""
    return tx.execute(SQL["set_earliest_expiry"], (id,)).rowcount


def count_expired(tx: Queries, queue: int, now: int) -> int:
    """Return how many messages that count towards the depth are expired, even if locked or
    uncommitted (expiry X13).
    """
    return first_value(int, tx.execute(SQL["count_expired"], (queue, now)))


class ExpiredCounts(NamedTuple):
    """The expired messages of a queue: all, those that a scan would discard, and those of them that
    ask for a report.

    `since` is when the first of them expired, `length` the bytes of their data.
    """

    expired: int
    scannable: int
    reporting: int
    since: int | None
    length: int


def expired_counts(tx: Queries, queue: int, now: int) -> ExpiredCounts:
    return only_row(ExpiredCounts, tx.execute(SQL["expired_counts"], (queue, now)))


def _first_live(tx: Queries, queue: int, now: int) -> Any:
    return tx.execute(SQL["first_live"], (queue, now)).fetchone()


def _count_before(tx: Queries, queue: int, rank: int, sequence: int) -> int:
    return first_value(int, tx.execute(SQL["count_before"], (queue, rank, sequence)))


def count_before_first_live(tx: Queries, queue: int, now: int) -> int | None:
    """Return how many expired messages precede the first live one, or None when there is no live
    one.
    """
    live = _first_live(tx, queue, now)
    return None if live is None else _count_before(tx, queue, *live)


def next_expiries(tx: Queries, queue: int, now: int, limit: int) -> list[Any]:
    """Return the next moments at which messages expire, each with the number of messages."""
    return tx.execute(SQL["next_expiries"], (queue, now, limit)).fetchall()


def putters(tx: Queries, queue: int, now: int) -> list[Any]:
    """Return (application, user, messages, first expiry) of those who put expired messages, most
    messages first.
    """
    return tx.execute(SQL["putters"], (queue, now)).fetchall()
