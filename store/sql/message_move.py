"""Moves messages to another queue without a get or put (MOVE QLOCAL)."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import bindparam, case, func, select, update

from store.sql.clauses import ONE, READY, ZERO, literal
from store.sql.schema import message, queue
from store.sqlite.database import Transaction
from store.sqlite.statement import Statement

_m, _q = message.c, queue.c
_HIGHEST_PRIORITY = literal(9)
_FIRST = (
    select(_m.sequence, _m.length, _m.expires_at)
    .where(_m.queue == bindparam("source"), READY, _m.sequence < bindparam("below"))
    .order_by(_m.sequence)
    .limit(bindparam("limit"))
)
_BATCH = _FIRST.subquery("batch").c
_BATCH_FACTS = Statement(
    select(
        func.count(),
        func.coalesce(func.min(_BATCH.sequence), ZERO),
        func.coalesce(func.max(_BATCH.sequence), ZERO),
        func.coalesce(func.max(_BATCH.length), ZERO),
        func.min(_BATCH.expires_at),
    )
)


class Batch(NamedTuple):
    """The first messages of a queue in the order in which they were put.

    `first` and `last` are their sequence numbers, `longest` is the length of the longest in bytes.
    """

    number: int
    first: int
    last: int
    longest: int
    earliest_expiry: int | None


def batch(tx: Transaction, source: int, below: int, limit: int) -> Batch:
    """Describe up to `limit` available messages with a sequence number below `below`."""
    return Batch._make(tx.one(_BATCH_FACTS, {"source": source, "below": below, "limit": limit}))


_MOVE = Statement(
    update(message)
    .where(_m.queue == bindparam("source"), READY, _m.sequence <= bindparam("last"))
    .values(
        queue=bindparam("target"),
        sequence=_m.sequence + bindparam("shift"),
        rank=case(
            (bindparam("fifo") == ONE, bindparam("default_priority")),
            else_=func.min(_m.priority, _HIGHEST_PRIORITY),
        ),
    )
)
_CHANGE_DEPTH = Statement(
    update(queue)
    .where(_q.id == bindparam("queue_id"))
    .values(
        depth=_q.depth + bindparam("change"),
        next_sequence=func.max(_q.next_sequence, bindparam("next")),
        high_depth=func.max(_q.high_depth, _q.depth + bindparam("change")),
        earliest_expiry=bindparam("earliest"),
    )
)


def move(tx: Transaction, source: int, last: int, target: int, shift: int, fifo: int, default_priority: int) -> int:
    """Move the messages up to the sequence number `last`, adding `shift` to their numbers; return how many."""
    values = {"source": source, "last": last, "target": target, "shift": shift, "fifo": fifo}
    return tx.run(_MOVE, {**values, "default_priority": default_priority})


def change_depth(tx: Transaction, queue_id: int, change: int, next: int, earliest: int | None) -> None:
    """Add `change` to the depth of a queue without counting puts or gets, and set its next sequence and expiry."""
    tx.run(_CHANGE_DEPTH, {"queue_id": queue_id, "change": change, "next": next, "earliest": earliest})
