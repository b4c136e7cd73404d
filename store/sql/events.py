"""The history: rows are appended, never changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam, func, insert, select

from store.database import Queries, Transaction
from store.schema import event, message
from store.statement import Statement

COLUMNS = tuple(column.name for column in event.columns if column.name != "seq")
_BLANK: Mapping[str, Any] = dict.fromkeys(COLUMNS)
_APPEND = Statement(insert(event).values({name: bindparam(name) for name in COLUMNS}))
_LAST = Statement(select(func.max(event.c.seq)))
_LAST_MESSAGE = Statement(select(func.max(message.c.id)))


def append(tx: Transaction, row: Mapping[str, Any]) -> None:
    """Record one event; columns not given are NULL."""
    tx.run(_APPEND, row if len(row) == len(COLUMNS) else {**_BLANK, **row})


def append_all(tx: Transaction, rows: Sequence[Mapping[str, Any]]) -> None:
    """Record events in the order given; columns not given are NULL."""
    if rows:
        tx.run_all(_APPEND, [{**_BLANK, **row} for row in rows])


def bound(tx: Queries) -> tuple[int, int]:
    """(last event, last message) of the store now, 0 where there is none."""
    return int(tx.value(_LAST) or 0), int(tx.value(_LAST_MESSAGE) or 0)
