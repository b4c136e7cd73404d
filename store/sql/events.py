"""The history: rows are appended, never changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam, func, literal_column, select

from store.sql.rows import EventRow
from store.sql.schema import event, message
from store.sqlite.database import Queries, Transaction
from store.sqlite.statement import RowInsert, Statement

_APPEND = RowInsert(event, EventRow._fields)
# The literals are those of the index.
_TIMES_MOVED = Statement(
    select(func.count())
    .select_from(event)
    .where(
        event.c.queue == bindparam("queue"),
        event.c.msg_id == bindparam("msg_id"),
        literal_column("kind IN ('REQUEUE', 'FORWARD')"),
        event.c.qmgr == bindparam("qmgr"),
        event.c.correl_id.is_(bindparam("correl_id")),
    )
)
_LAST = Statement(select(func.max(event.c.seq)))
_LAST_MESSAGE = Statement(select(func.max(message.c.id)))


def append(tx: Transaction, row: EventRow | Mapping[str, Any]) -> None:
    """Record one event; columns not given are NULL."""
    tx.insert_rows(_APPEND, (row if isinstance(row, EventRow) else EventRow(**row),))


def append_all(tx: Transaction, rows: Sequence[EventRow | Mapping[str, Any]]) -> None:
    """Record events in the order given; columns not given are NULL."""
    tx.insert_rows(_APPEND, [row if isinstance(row, EventRow) else EventRow(**row) for row in rows])


def times_moved(tx: Queries, qmgr: str, queue: str, msg_id: bytes, correl_id: bytes | None) -> int:
    """How often a message with these ids was moved on from a queue (REQUEUE, FORWARD); no CorrelId is None."""
    values = {"qmgr": qmgr, "queue": queue, "msg_id": msg_id, "correl_id": correl_id}
    return int(tx.value(_TIMES_MOVED, values))


def bound(tx: Queries) -> tuple[int, int]:
    """(last event, last message) of the store now, 0 where there is none."""
    return int(tx.value(_LAST) or 0), int(tx.value(_LAST_MESSAGE) or 0)
