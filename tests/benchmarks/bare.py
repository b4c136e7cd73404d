"""The same transactions on the bare driver: the same rows, the same tables and indexes, the same durability.

Rows are copied from what the product itself wrote, so that nothing is left out of the comparison.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from store import Message, MessageDescriptor, open_store
from store.admin import create
from store.catalog import KINDS
from store.constants import MQOO
from store.database import PRAGMAS, sqlite_library
from store.handle import ObjectHandle
from store.schema import event, message

QUEUE = "BENCHMARK"
BODY = b"x" * 512
_MESSAGE = [column.name for column in message.columns if column.name != "id"]
_EVENT = [column.name for column in event.columns if column.name != "seq"]
_IDENTIFIER = _MESSAGE.index("msg_id")
_SEQUENCE = _MESSAGE.index("sequence")
_PUT_MESSAGE = f"INSERT INTO message ({', '.join(map(repr, _MESSAGE))}) VALUES ({', '.join('?' * len(_MESSAGE))})"
_APPEND = f"INSERT INTO event ({', '.join(map(repr, _EVENT))}) VALUES ({', '.join('?' * len(_EVENT))})"
_ARRIVED = (
    "UPDATE queue SET depth = depth + ?, next_sequence = next_sequence + ?, puts = puts + ?, last_put_at = ?, "
    "high_depth = max(high_depth, depth + ?) WHERE id = ?"
)
_LEFT = "UPDATE queue SET depth = depth - 1, gets = gets + 1, last_get_at = ? WHERE id = ?"
_FIRST = "SELECT * FROM message WHERE queue = ? AND state = 0 ORDER BY rank DESC, sequence LIMIT 1"
_BY_CORREL_ID = (
    "SELECT * FROM message WHERE queue = ? AND state = 0 AND correl_id = ? ORDER BY rank DESC, sequence LIMIT 1"
)
_REMOVE = "DELETE FROM message WHERE id = ?"


def product(folder: Path) -> tuple[ObjectHandle, str]:
    """A queue of the product, open for everything, and the path of its store."""
    path = str(folder / "product.db")
    store = open_store(f"sqlite:///{path}")
    qmgr = store.create_queue_manager("QM1")
    create(qmgr, KINDS["QLOCAL"], QUEUE, {"MAXDEPTH": 999_999_999})
    handle = qmgr.connect().open(QUEUE, MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.BROWSE)
    return handle, path


class Bare:
    """A second store of the product's making, used through the driver alone."""

    def __init__(self, folder: Path, *, durable: bool = False, persistence: int = 0) -> None:
        folder.mkdir()
        self.durable = durable
        handle, path = product(folder)
        handle.put(Message(BODY, MessageDescriptor(persistence=persistence)))
        handle.connection.store.close()
        self.connection: Any = sqlite_library().connect(path, isolation_level=None, cached_statements=400)
        for pragma in PRAGMAS:
            self.connection.execute(pragma).fetchall()
        self.connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        run = self.connection.execute
        self.queue = run("SELECT id FROM queue WHERE name = ?", (QUEUE,)).fetchone()[0]
        columns = ", ".join(map(repr, _MESSAGE)).replace("'", '"')
        self.message = list(run(f"SELECT {columns} FROM message ORDER BY id DESC LIMIT 1").fetchone())
        columns = ", ".join(map(repr, _EVENT)).replace("'", '"')
        self.event = run(f"SELECT {columns} FROM event WHERE kind = 'PUT' ORDER BY seq DESC LIMIT 1").fetchone()
        self.number = 1_000_000
        run("DELETE FROM message")
        run("UPDATE queue SET depth = 0 WHERE id = ?", (self.queue,))

    def _next(self) -> list[Any]:
        self.number += 1
        row = list(self.message)
        row[_IDENTIFIER] = self.number.to_bytes(24, "big")
        row[_SEQUENCE] = self.number
        return row

    def put(self) -> None:
        """One message, one transaction."""
        run = self.connection.execute
        run("BEGIN IMMEDIATE")
        run(_PUT_MESSAGE, self._next())
        run(_ARRIVED, (1, 1, 1, self.number, 1, self.queue))
        run(_APPEND, self.event)
        run("COMMIT")

    def unit(self, count: int) -> None:
        """As the product does it: every put its own transaction without a sync, the commit one that is synced."""
        self.connection.executescript("PRAGMA synchronous = NORMAL")
        for _ in range(count):
            self.put()
        self.connection.executescript(f"PRAGMA synchronous = {'FULL' if self.durable else 'NORMAL'}")
        self.connection.execute("BEGIN IMMEDIATE")
        self.connection.execute(_APPEND, self.event)
        self.connection.execute("COMMIT")

    def put_many(self, count: int) -> None:
        """A list of messages, one transaction, one executemany a table."""
        self.connection.execute("BEGIN IMMEDIATE")
        self.connection.executemany(_PUT_MESSAGE, [self._next() for _ in range(count)])
        self.connection.execute(_ARRIVED, (count, count, count, self.number, count, self.queue))
        self.connection.executemany(_APPEND, [self.event] * count)
        self.connection.execute("COMMIT")

    def get(self, correl_id: bytes | None = None) -> None:
        """The first message, one transaction."""
        run = self.connection.execute
        run("BEGIN IMMEDIATE")
        if correl_id is None:
            row = run(_FIRST, (self.queue,)).fetchone()
        else:
            row = run(_BY_CORREL_ID, (self.queue, correl_id)).fetchone()
        run(_REMOVE, (row[0],))
        run(_LEFT, (self.number, self.queue))
        run(_APPEND, self.event)
        run("COMMIT")
