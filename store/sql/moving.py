"""Messages change queues without being got or put: MOVE QLOCAL."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, bindparam, case, func, literal_column, select, update

from store.sql.schema import message, queue
from store.sqlite.database import Transaction
from store.sqlite.statement import Statement

_m, _q = message.c, queue.c
_READY: ColumnElement[bool] = literal_column("state = 0")
_NINE: ColumnElement[int] = literal_column("9")
_ONE: ColumnElement[int] = literal_column("1")
_HERE = (_m.queue == bindparam("source"), _READY, _m.sequence < bindparam("below"))
_NEXT = select(_m.sequence, _m.length, _m.expires_at).where(*_HERE).order_by(_m.sequence).limit(bindparam("limit"))
_BATCH = _NEXT.subquery("batch").c
_LOOK = Statement(
    select(
        func.count(),
        func.coalesce(func.min(_BATCH.sequence), literal_column("0")),
        func.coalesce(func.max(_BATCH.sequence), literal_column("0")),
        func.coalesce(func.max(_BATCH.length), literal_column("0")),
        func.min(_BATCH.expires_at),
    )
)


class Batch(NamedTuple):
    """The messages that stand first on a queue: how many, their places, the longest, the first to expire."""

    number: int
    first: int
    last: int
    longest: int
    earliest_expiry: int | None


def batch(tx: Transaction, source: int, below: int, limit: int) -> Batch:
    """Up to `limit` available messages put before the place `below`."""
    return Batch._make(tx.one(_LOOK, {"source": source, "below": below, "limit": limit}))


_MOVE = Statement(
    update(message)
    .where(_m.queue == bindparam("source"), _READY, _m.sequence <= bindparam("last"))
    .values(
        queue=bindparam("target"),
        sequence=_m.sequence + bindparam("shift"),
        rank=case(
            (bindparam("fifo") == _ONE, bindparam("default_priority")),
            else_=func.min(_m.priority, _NINE),
        ),
    )
)
_COUNT = Statement(
    update(queue)
    .where(_q.id == bindparam("number"))
    .values(
        depth=_q.depth + bindparam("count"),
        next_sequence=func.max(_q.next_sequence, bindparam("next")),
        high_depth=func.max(_q.high_depth, _q.depth + bindparam("count")),
        earliest_expiry=bindparam("earliest"),
    )
)


def move(tx: Transaction, source: int, last: int, target: int, shift: int, fifo: int, default_priority: int) -> int:
    """Give the messages up to the place `last` to another queue, `shift` places further on; how many."""
    values = {"source": source, "last": last, "target": target, "shift": shift, "fifo": fifo}
    return tx.run(_MOVE, {**values, "default_priority": default_priority})


def count(tx: Transaction, number: int, change: int, next: int, earliest: int | None) -> None:
    """Messages came to a queue (positive) or left it; no put or get is counted."""
    tx.run(_COUNT, {"number": number, "count": change, "next": next, "earliest": earliest})
