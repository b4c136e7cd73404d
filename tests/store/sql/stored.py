"""Inserts rows for tests of statements: messages, queues, connections and handles."""

from __future__ import annotations

from sqlalchemy import func, select, text, update

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.sql import connections, queues
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import message
from mqsc.store.sql.message_insert import PutTogether, form_of, insert
from mqsc.store.sql.rows import MessageState, QueueRow
from mqsc.store.sqlite.database import Transaction

QUEUE = 1
_NEXT = text_of(select(func.coalesce(func.max(message.c.sequence), -1) + 1))
_STATES = text_of(text("SELECT id, state FROM message ORDER BY id"))


def stored(
    tx: Transaction,
    *,
    queue: int = QUEUE,
    rank: int = 0,
    expires_at: int | None = None,
    unit: int | None = None,
    kept: bool = False,
    body: bytes = b"",
    descriptor: MessageDescriptor | None = None,
) -> int:
    """Store a message with the next sequence number; return its row number."""
    descriptor = descriptor or MessageDescriptor(persistence=0)
    together = PutTogether(queue, 0, unit, kept)
    return insert(
        tx,
        [
            form_of(descriptor).bind(
                descriptor, body, together, int(tx.value(_NEXT)), rank, expires_at
            )
        ],
    )


def changed(tx: Transaction, id: int, **columns: object) -> None:
    """Change columns of a message."""
    tx.run(text_of(update(message).where(message.c.id == id).values(columns)))


def states(tx: Transaction) -> dict[int, str]:
    """Return the state of every message by row number."""
    return {id: MessageState(state).name for id, state in tx.all(_STATES)}


def stored_queue(tx: Transaction, name: str = "Q", **columns: object) -> int:
    """Store a local queue of QM1; return its number."""
    return queues.add(tx, {"owner": "QM1", "name": name, "type": "QLOCAL", **columns})


def queue_row(tx: Transaction, id: int) -> QueueRow:
    row = queues.by_id(tx, id, "QM1")
    assert row is not None
    return row


def connected(
    tx: Transaction,
    qmgr: str = "QM1",
    process: int = 1,
    application: str = "app",
) -> int:
    """Store a connection; return its number."""
    row = {
        "qmgr": qmgr,
        "run": 1,
        "process": process,
        "application": application,
        "user": "alice",
        "connected_at": 5,
    }
    return connections.add(tx, row)


def opened(
    tx: Transaction,
    name: str,
    *path: int,
    queue: int | None = None,
    type: str = "QLOCAL",
) -> int:
    """Store an open handle for a name that resolved through the objects of `path`; return its
    number.
    """
    row = dict.fromkeys(
        ("connection", "options", "input", "exclusive", "output", "browse", "opened_at"),
        0,
    )
    names = {"qmgr": "QM1", "queue": queue, "object_name": name, "object_type": type}
    return connections.open_handle(tx, {**row, **names}, path)
