"""Moves messages to another queue without a get or put (MOVE QLOCAL)."""

from __future__ import annotations

from typing import NamedTuple

from store.sql.clauses import ONE, READY, ZERO, literal
from store.sql.tables import message, queue
from store.sqlite.database import Transaction
from store.sqlite.expressions import bindparam, case, func, select, update
from store.sqlite.statement import Statement

_m, _q = message.c, queue.c
_HIGHEST_PRIORITY = literal(9)
# Bits of the report options that request a confirmation.
_ASKS = _m.report.op("&")(bindparam("asking")) != ZERO
_FIRST = (
    select(_m.sequence, _m.length, _m.expires_at, _ASKS.label("asks"))
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
        func.coalesce(func.sum(_BATCH.asks), ZERO),
    )
)


class MoveBatch(NamedTuple):
    """The first messages of a queue in the order in which they were put.

    `first` and `last` are their sequence numbers, `longest` is the length of the longest in bytes, `asking` is how many
    have one of the given report options.
    """

    number: int
    first: int
    last: int
    longest: int
    earliest_expiry: int | None
    asking: int


def batch(tx: Transaction, source: int, below: int, limit: int, asking: int) -> MoveBatch:
    """Describe up to `limit` available messages with a sequence number below `below`; `asking`: report options."""
    values = {"source": source, "below": below, "limit": limit, "asking": asking}
    return MoveBatch._make(tx.one(_BATCH_FACTS, values))


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


_MOVED = (_m.queue == bindparam("target"), READY, _m.sequence.between(bindparam("first"), bindparam("last")))
_RANKS = Statement(select(_m.rank).where(*_MOVED).order_by(_m.sequence))
_ASKING = Statement(select(_m.id).where(*_MOVED, _ASKS).order_by(_m.sequence))


def ranks(tx: Transaction, target: int, first: int, last: int) -> list[int]:
    """Return the effective priorities of the messages with these sequence numbers, in order."""
    return [row[0] for row in tx.all(_RANKS, {"target": target, "first": first, "last": last})]


def asking(tx: Transaction, target: int, first: int, last: int, options: int) -> list[int]:
    """Return the row numbers of those of the messages that have one of these report options, in order."""
    values = {"target": target, "first": first, "last": last, "asking": options}
    return [row[0] for row in tx.all(_ASKING, values)]


def change_depth(tx: Transaction, queue_id: int, change: int, next: int, earliest: int | None) -> None:
    """Add `change` to the depth of a queue without counting puts or gets, and set its next sequence and expiry."""
    tx.run(_CHANGE_DEPTH, {"queue_id": queue_id, "change": change, "next": next, "earliest": earliest})
