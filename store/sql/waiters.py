"""Gets that wait for particular messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from store.sql.tables import message, waiter
from store.sqlite.database import Transaction
from store.sqlite.expressions import ColumnElement, bindparam, delete, insert, or_, select
from store.sqlite.statement import Statement

_m, _w = message.c, waiter.c
WANTED = ("msg_id", "correl_id", "group_id", "msg_seq_number", "offset")

# An interrupted call may have left the row of its handle.
_ADD = Statement(
    insert(waiter).prefix_with("OR REPLACE").values({name: bindparam(name) for name in ("handle", "queue", *WANTED)})
)
_REMOVE = Statement(delete(waiter).where(_w.handle == bindparam("handle")))

# No get waits for this message in particular.
UNWANTED: ColumnElement[bool] = ~(
    select(_w.handle)
    .where(_w.queue == _m.queue, *(or_(_w[name].is_(None), _w[name] == _m[name]) for name in WANTED))
    .exists()
)


def add(tx: Transaction, handle: int, queue: int, wanted: Mapping[str, Any]) -> None:
    """Record that a get through `handle` waits for messages of the queue that have the values in `wanted`."""
    tx.run(_ADD, {**dict.fromkeys(WANTED), **wanted, "handle": handle, "queue": queue})


def remove(tx: Transaction, handle: int) -> None:
    """Record that the get through `handle` no longer waits."""
    tx.run(_REMOVE, {"handle": handle})
