"""Processes, connections and open handles: who is at work, and what they hold open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, literal_column, select

from store.sql.rows import ConnectionRow, HandleRow
from store.sql.schema import connection, handle, handle_path, process, waiter
from store.sqlite.database import Queries, Transaction
from store.sqlite.statement import Statement

_c, _h, _p, _w = connection.c, handle.c, process.c, handle_path.c


_ADD_PROCESS = Statement(insert(process).values(file=bindparam("file")))
_PROCESSES = Statement(select(_p.id, _p.file).where(_p.id != bindparam("mine")))
_DROP_PROCESS = Statement(delete(process).where(_p.id == bindparam("id")))


def add_process(tx: Transaction, file: str) -> int:
    """Register a process by the file it keeps locked; its number."""
    return tx.insert(_ADD_PROCESS, {"file": file})


def other_processes(tx: Queries, mine: int) -> list[tuple[int, str]]:
    """(number, file) of every other process."""
    return tx.all(_PROCESSES, {"mine": mine})


def drop_process(tx: Transaction, id: int) -> None:
    """Forget a process that holds no connection any more."""
    tx.run(_DROP_PROCESS, {"id": id})


_ADD = Statement(insert(connection).values({name: bindparam(name) for name in ConnectionRow._fields if name != "id"}))
_DROP = Statement(delete(connection).where(_c.id == bindparam("id")))
_BY_ID = Statement(select(connection).where(_c.id == bindparam("id")))
_OF_PROCESS = Statement(select(connection).where(_c.process == bindparam("process")).order_by(_c.id))
_OF_MANAGER = Statement(select(connection).where(_c.qmgr == bindparam("qmgr")).order_by(_c.id))
_COUNT = Statement(select(func.count()).select_from(connection).where(_c.qmgr == bindparam("qmgr")))


def add(tx: Transaction, row: Mapping[str, Any]) -> int:
    """Store a connection; its number."""
    return tx.insert(_ADD, row)


def drop(tx: Transaction, id: int) -> None:
    """Remove a connection."""
    tx.run(_DROP, {"id": id})


def by_id(tx: Queries, id: int) -> ConnectionRow | None:
    """The connection, or None when it was broken and removed."""
    row = tx.one(_BY_ID, {"id": id})
    return None if row is None else ConnectionRow._make(row)


def of_process(tx: Queries, process: int) -> list[ConnectionRow]:
    """The connections of one process, oldest first."""
    return [ConnectionRow._make(row) for row in tx.all(_OF_PROCESS, {"process": process})]


def of_queue_manager(tx: Queries, qmgr: str) -> list[ConnectionRow]:
    """The connections to one queue manager, oldest first."""
    return [ConnectionRow._make(row) for row in tx.all(_OF_MANAGER, {"qmgr": qmgr})]


def count(tx: Transaction, qmgr: str) -> int:
    """How many connections a queue manager has."""
    return int(tx.value(_COUNT, {"qmgr": qmgr}))


_OPEN = Statement(insert(handle).values({name: bindparam(name) for name in HandleRow._fields if name != "id"}))
_OPEN_PATH = Statement(insert(handle_path).values(handle=bindparam("handle"), queue=bindparam("queue")))
_CLOSE = Statement(delete(handle).where(_h.id == bindparam("id")))
_CLOSE_PATH = Statement(delete(handle_path).where(_w.handle == bindparam("id")))
_CLOSE_WAIT = Statement(delete(waiter).where(waiter.c.handle == bindparam("id")))
_HANDLE = Statement(select(handle).where(_h.id == bindparam("id")))
_OF_CONNECTION = Statement(select(handle).where(_h.connection == bindparam("connection")).order_by(_h.id))
_COUNT_OF_CONNECTION = Statement(
    select(func.count()).select_from(handle).where(_h.connection == bindparam("connection"))
)
_ON_QUEUE = Statement(select(handle).where(_h.queue == bindparam("queue")).order_by(_h.id))
_THROUGH = Statement(
    select(literal_column("1"))
    .select_from(handle_path)
    .where(_w.queue == bindparam("queue"))
    .limit(literal_column("1"))
)


def open_handle(tx: Transaction, row: Mapping[str, Any], path: Sequence[int]) -> int:
    """Store an open handle and the queue objects it resolved through; its number."""
    id = tx.insert(_OPEN, row)
    if path:
        tx.run_for_each(_OPEN_PATH, [{"handle": id, "queue": queue} for queue in path])
    return id


def close_handle(tx: Transaction, id: int) -> None:
    """Remove an open handle."""
    tx.run(_CLOSE, {"id": id})
    tx.run(_CLOSE_PATH, {"id": id})
    tx.run(_CLOSE_WAIT, {"id": id})


def handle_by_id(tx: Queries, id: int) -> HandleRow | None:
    """The open handle, or None when it was closed or recovered."""
    row = tx.one(_HANDLE, {"id": id})
    return None if row is None else HandleRow._make(row)


def handles_of_connection(tx: Queries, id: int) -> list[HandleRow]:
    """The open handles of a connection, oldest first."""
    return [HandleRow._make(row) for row in tx.all(_OF_CONNECTION, {"connection": id})]


def count_handles_of(tx: Transaction, id: int) -> int:
    """How many handles a connection has open."""
    return int(tx.value(_COUNT_OF_CONNECTION, {"connection": id}))


def handles_on_queue(tx: Queries, queue: int) -> list[HandleRow]:
    """The handles that put to or get from a local queue, oldest first."""
    return [HandleRow._make(row) for row in tx.all(_ON_QUEUE, {"queue": queue})]


def is_in_use(tx: Transaction, queue: int) -> bool:
    """Whether any handle is open on the queue object, or on one that resolved through it."""
    return bool(handles_on_queue(tx, queue)) or tx.one(_THROUGH, {"queue": queue}) is not None


def drop_all(tx: Transaction, ids: Iterable[int]) -> None:
    """Remove connections."""
    tx.run_for_each(_DROP, [{"id": id} for id in ids])
