"""The baseline of the benchmarks: the product's transactions made directly through the SQLite
driver.

Tables, indexes and durability are those of the product, and rows are copied from what it wrote, so
that the baseline does the same work. Parameters are bound as the product binds them, without NULLs
and with bytes as bytearray, through one cursor: anything else is slower in the driver and would
make the product look better than it is.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mqsc.store import open_store
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQOO
from mqsc.store.sql.core.schema import event, message
from mqsc.store.sqlite.driver import PRAGMAS, sqlite_library

QUEUE = "BENCHMARK"
BODY = b"x" * 512
_MESSAGE = [column.name for column in message.columns if column.name != "id"]
_EVENT = [column.name for column in event.columns if column.name != "seq"]
# Columns of an event that are not copied from the message's row: when, where, and about what.
_TOLD = ("at", "qmgr", "kind", "cause", "queue", "application", "user")
_OF_MESSAGE = "msg_id correl_id priority persistence length put_at expires_at".split()


def _quoted(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _bound(row: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out NULLs and convert bytes to bytearray, which the driver binds fastest."""
    return {
        name: bytearray(value) if isinstance(value, bytes) else value
        for name, value in row.items()
        if value is not None
    }


class _Insert:
    """A prepared INSERT: its text, the values of a sample row, and the index of each column in
    them.
    """

    def __init__(self, table: str, row: Mapping[str, Any]) -> None:
        bound = _bound(row)
        names = list(bound)
        self.text = f"INSERT INTO {table} ({_quoted(names)}) VALUES ({', '.join('?' * len(names))})"
        self.values = list(bound.values())
        self.place = {name: index for index, name in enumerate(names)}


_ARRIVED = (
    "UPDATE queue SET depth = depth + ?, next_sequence = next_sequence + ?, puts = puts + ?, "
    "last_put_at = ?, "
    "high_depth = max(high_depth, depth + ?) WHERE id = ?"
)
_LEFT = "UPDATE queue SET depth = depth - ?, gets = gets + 1, last_get_at = ? WHERE id = ?"
_LEFT_MANY = "UPDATE queue SET depth = depth - ?, gets = gets + ?, last_get_at = ? WHERE id = ?"
_IN_ORDER = "WHERE queue = ? AND state = 0 ORDER BY rank DESC, sequence LIMIT"
_FIRST = f"SELECT * FROM message {_IN_ORDER} 1"
_FIRST_MANY = f"SELECT * FROM message {_IN_ORDER} ?"
_BY_CORREL_ID = (
    "SELECT * FROM message WHERE queue = ? AND state = 0 AND correl_id = ? ORDER BY rank DESC, "
    "sequence LIMIT 1"
)
_RESERVE = "UPDATE message SET state = 2, unit = ?, locked_by = NULL WHERE id = ?"
_REMOVE_OF_UNIT = "DELETE FROM message WHERE unit = ? AND state = 2 AND unit IS NOT NULL"
_RELEASE = (
    "UPDATE message SET state = 0, unit = NULL WHERE unit = ? AND state = 1 AND unit IS NOT NULL"
)
_REMOVE = "DELETE FROM message WHERE id = ?"
_IN_FRONT = f"SELECT id FROM message {_IN_ORDER} ?"
_RECORD_EXPIRED = (
    f"INSERT INTO event ({_quoted([*_TOLD, *_OF_MESSAGE])}) "
    f"SELECT ?, 'QM1', 'EXPIRE', 'get', ?, 'mqsc', 'user', {_quoted(_OF_MESSAGE)} FROM message "
    f"WHERE id IN ({_IN_FRONT})"
)
_REMOVE_EXPIRED = f"DELETE FROM message WHERE id IN ({_IN_FRONT})"


def product(folder: Path) -> tuple[ObjectHandle, str]:
    """Create a store with one queue; return a handle open for input, output and browse, and the
    store's path.
    """
    path = str(folder / "product.db")
    with open_store(f"sqlite:///{path}") as store:
        qmgr = store.create_queue_manager("QM1")
        create(qmgr, KINDS["QLOCAL"], QUEUE, {"MAXDEPTH": 999_999_999})
    return opened(path), path


def opened(path: str, qmgr: str = "QM1", queue: str = QUEUE) -> ObjectHandle:
    """Open a queue of an existing store for input, output and browse."""
    connection = open_store(f"sqlite:///{path}").queue_manager(qmgr).connect()
    return connection.open(queue, MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.BROWSE)


class Bare:
    """A copy of a closed store of the product, used through the driver alone."""

    def __init__(self, original: str, *, durable: bool = False) -> None:
        path = original.replace("product.db", "bare.db")
        shutil.copy(original, path)
        self.durable = durable
        self.connection: Any = sqlite_library().connect(
            path,
            isolation_level=None,
            cached_statements=400,
        )
        for pragma in PRAGMAS:
            self.connection.execute(pragma).fetchall()
        self.connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        cursor = self.connection.cursor()
        self.run, self.run_many = cursor.execute, cursor.executemany
        run = self.run
        self.queue = run("SELECT id FROM queue WHERE name = ?", (QUEUE,)).fetchone()[0]
        found = run(f"SELECT {_quoted(_MESSAGE)} FROM message ORDER BY id DESC LIMIT 1").fetchone()
        row = {**dict(zip(_MESSAGE, found, strict=True)), "correl_id": None}
        self.plain = _Insert("message", row)
        self.correlated = _Insert("message", {**row, "correl_id": bytes(24)})
        self.uncommitted = _Insert("message", {**row, "state": 1, "unit": 1 << 62})
        found = run(
            f"SELECT {_quoted(_EVENT)} FROM event WHERE kind = 'PUT' ORDER BY seq DESC LIMIT 1",
        ).fetchone()
        self.event = _Insert("event", dict(zip(_EVENT, found, strict=True)))
        # Higher than any sequence number that the product has assigned.
        self.number = 1_000_000_000

    def _next(
        self,
        insert: _Insert,
        correl_id: bytes | None = None,
        priority: int = 0,
    ) -> list[Any]:
        self.number += 1
        values, place = insert.values.copy(), insert.place
        values[place["msg_id"]] = bytearray(self.number.to_bytes(24, "big"))
        values[place["sequence"]] = self.number
        values[place["rank"]] = values[place["priority"]] = priority
        if correl_id is not None:
            values[place["correl_id"]] = bytearray(correl_id)
        return values

    def _append(self) -> None:
        self.run(self.event.text, self.event.values)

    def put(
        self,
        correl_id: bytes | None = None,
        priority: int = 0,
        *,
        in_unit: bool = False,
    ) -> None:
        run = self.run
        run("BEGIN IMMEDIATE")
        insert = (
            self.uncommitted if in_unit else self.plain if correl_id is None else self.correlated
        )
        run(insert.text, self._next(insert, correl_id, priority))
        run(_ARRIVED, (1, 1, 1, self.number, 1, self.queue))
        self._append()
        run("COMMIT")

    def unit(self, count: int) -> None:
        """Put `count` messages in a unit of work the way the product does it: the commit makes
        them available.
        """
        self._unit(count, self.put, _RELEASE)

    def unit_of_gets(self, count: int) -> None:
        """Get the first `count` messages in a unit of work the way the product does it: the
        commit removes them.
        """
        self._unit(count, self.get, _REMOVE_OF_UNIT)

    def _unit(self, count: int, call: Callable[..., None], at_commit: str) -> None:
        """Each call is a transaction without a sync; the commit is one more, synced if
        `durable`.
        """
        self.connection.executescript("PRAGMA synchronous = NORMAL")
        for _ in range(count):
            call(in_unit=True)
        self.connection.executescript(
            f"PRAGMA synchronous = {'FULL' if self.durable else 'NORMAL'}",
        )
        self.run("BEGIN IMMEDIATE")
        self.run(at_commit, (1 << 62,))
        self._append()
        self.run("COMMIT")

    def put_many(self, count: int) -> None:
        """Put `count` messages in one transaction, with one executemany for each table."""
        self.run("BEGIN IMMEDIATE")
        self.run_many(self.plain.text, [self._next(self.plain) for _ in range(count)])
        self.run(_ARRIVED, (count, count, count, self.number, count, self.queue))
        self.run_many(self.event.text, [self.event.values] * count)
        self.run("COMMIT")

    def get(self, correl_id: bytes | None = None, *, in_unit: bool = False) -> None:
        """Get the first message, or the first with that CorrelId, in one transaction; `in_unit`:
        reserve it.
        """
        run = self.run
        run("BEGIN IMMEDIATE")
        if correl_id is None:
            row = run(_FIRST, (self.queue,)).fetchone()
        else:
            row = run(_BY_CORREL_ID, (self.queue, bytearray(correl_id))).fetchone()
        if in_unit:
            run(_RESERVE, (1 << 62, row[0]))
        else:
            run(_REMOVE, (row[0],))
        run(_LEFT, (1, self.number, self.queue))
        self._append()
        run("COMMIT")

    def get_many(self, count: int) -> None:
        """Get the first `count` messages in one transaction, with one executemany for each table
        but the queue's.
        """
        self.run("BEGIN IMMEDIATE")
        found = self.run(_FIRST_MANY, (self.queue, count)).fetchall()
        self.run_many(_REMOVE, [row[:1] for row in found])
        self.run(_LEFT_MANY, (count, count, self.number, self.queue))
        self.run_many(self.event.text, [self.event.values] * count)
        self.run("COMMIT")

    def discard(self, count: int) -> None:
        """Discard the first `count` messages as expired: two statements for all of them, in one
        transaction.
        """
        run = self.run
        run("BEGIN IMMEDIATE")
        run(_RECORD_EXPIRED, (self.number, QUEUE, self.queue, count))
        run(_REMOVE_EXPIRED, (self.queue, count))
        run(_LEFT, (count, self.number, self.queue))
        run("COMMIT")
