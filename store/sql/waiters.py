"""Gets that wait for certain messages, and which messages nobody waits for so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, bindparam, delete, insert, or_, select

from store.sql.schema import message, waiter
from store.sqlite.database import Transaction
from store.sqlite.statement import Statement

_m, _w = message.c, waiter.c
WANTED = ("msg_id", "correl_id", "group_id", "msg_seq_number", "offset")

# A call that was interrupted may have left a row: a handle has one.
_ADD = Statement(
    insert(waiter).prefix_with("OR REPLACE").values({name: bindparam(name) for name in ("handle", "queue", *WANTED)})
)
_REMOVE = Statement(delete(waiter).where(_w.handle == bindparam("handle")))

# The message is none that a get waits for which nothing else can serve.
UNWANTED: ColumnElement[bool] = ~(
    select(_w.handle)
    .where(_w.queue == _m.queue, *(or_(_w[name].is_(None), _w[name] == _m[name]) for name in WANTED))
    .exists()
)


def add(tx: Transaction, handle: int, queue: int, wanted: Mapping[str, Any]) -> None:
    """A get through `handle` waits for the messages of the queue that have the values of `wanted`."""
    tx.run(_ADD, {**dict.fromkeys(WANTED), **wanted, "handle": handle, "queue": queue})


def remove(tx: Transaction, handle: int) -> None:
    """It waits no longer."""
    tx.run(_REMOVE, {"handle": handle})
