"""Processes that have the store open, their connections and open handles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from store.sql.clauses import ONE
from store.sql.rows import ConnectionRow, HandleRow
from store.sql.tables import connection, handle, handle_path, process, waiter
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import bindparam, delete, func, insert, select, update
from store.sqlite.statement import Statement

_c, _h, _p = connection.c, handle.c, handle_path.c


_ADD_PROCESS = Statement(insert(process).values(file=bindparam("file")))
_PROCESSES = Statement(select(process.c.id, process.c.file).where(process.c.id != bindparam("mine")))
_DROP_PROCESS = Statement(delete(process).where(process.c.id == bindparam("id")))


def add_process(tx: Transaction, file: str) -> int:
    """Store a process by the name of its liveness file; return its number."""
    return tx.insert(_ADD_PROCESS, {"file": file})


def other_processes(tx: Queries, mine: int) -> list[tuple[int, str]]:
    """Return (number, file) of every process except `mine`."""
    return tx.all(_PROCESSES, {"mine": mine})


def drop_process(tx: Transaction, id: int) -> None:
    """Remove a process, which must have no connection."""
    tx.run(_DROP_PROCESS, {"id": id})


# Nothing is consumed through a new connection or handle.
_LATER = {"id", "consumption"}
_ADD_CONNECTION = Statement(
    insert(connection).values({name: bindparam(name) for name in ConnectionRow._fields if name not in _LATER})
)
_DROP_CONNECTION = Statement(delete(connection).where(_c.id == bindparam("id")))
_BY_ID = Statement(select(connection).where(_c.id == bindparam("id")))
_OF_PROCESS = Statement(select(connection).where(_c.process == bindparam("process")).order_by(_c.id))
_OF_MANAGER = Statement(select(connection).where(_c.qmgr == bindparam("qmgr")).order_by(_c.id))
_COUNT = Statement(select(func.count()).select_from(connection).where(_c.qmgr == bindparam("qmgr")))


def add(tx: Transaction, row: Mapping[str, Any]) -> int:
    """Store a connection; return its number."""
    return tx.insert(_ADD_CONNECTION, row)


def drop(tx: Transaction, id: int) -> None:
    tx.run(_DROP_CONNECTION, {"id": id})


def by_id(tx: Queries, id: int) -> ConnectionRow | None:
    """Return the connection, or None when it was broken and removed."""
    row = tx.one(_BY_ID, {"id": id})
    return None if row is None else ConnectionRow._make(row)


def of_process(tx: Queries, process: int) -> list[ConnectionRow]:
    """Return the connections of a process, oldest first."""
    return [ConnectionRow._make(row) for row in tx.all(_OF_PROCESS, {"process": process})]


def of_queue_manager(tx: Queries, qmgr: str) -> list[ConnectionRow]:
    """Return the connections to a queue manager, oldest first."""
    return [ConnectionRow._make(row) for row in tx.all(_OF_MANAGER, {"qmgr": qmgr})]


def count(tx: Queries, qmgr: str) -> int:
    """Return the number of connections to a queue manager."""
    return int(tx.value(_COUNT, {"qmgr": qmgr}))


_ADD_HANDLE = Statement(
    insert(handle).values({name: bindparam(name) for name in HandleRow._fields if name not in _LATER})
)
_ADD_PATH = Statement(insert(handle_path).values(handle=bindparam("handle"), queue=bindparam("queue")))
_REMOVE_HANDLE = Statement(delete(handle).where(_h.id == bindparam("id")))
_REMOVE_PATH = Statement(delete(handle_path).where(_p.handle == bindparam("id")))
_REMOVE_WAITER = Statement(delete(waiter).where(waiter.c.handle == bindparam("id")))
_HANDLE = Statement(select(handle).where(_h.id == bindparam("id")))
_OF_CONNECTION = Statement(select(handle).where(_h.connection == bindparam("connection")).order_by(_h.id))
_COUNT_OF_CONNECTION = Statement(
    select(func.count()).select_from(handle).where(_h.connection == bindparam("connection"))
)
_ON_QUEUE = Statement(select(handle).where(_h.queue == bindparam("queue")).order_by(_h.id))
_RESOLVED_THROUGH = Statement(select(ONE).select_from(handle_path).where(_p.queue == bindparam("queue")).limit(ONE))


def open_handle(tx: Transaction, row: Mapping[str, Any], path: Sequence[int]) -> int:
    """Store an open handle and the queue objects that it resolved through; return its number."""
    id = tx.insert(_ADD_HANDLE, row)
    if path:
        tx.run_for_each(_ADD_PATH, [{"handle": id, "queue": queue} for queue in path])
    return id


def close_handle(tx: Transaction, id: int) -> None:
    """Remove an open handle and the rows that depend on it."""
    tx.run(_REMOVE_HANDLE, {"id": id})
    tx.run(_REMOVE_PATH, {"id": id})
    tx.run(_REMOVE_WAITER, {"id": id})


def handle_by_id(tx: Queries, id: int) -> HandleRow | None:
    """Return the open handle, or None when it was closed, by its program or by recovery."""
    row = tx.one(_HANDLE, {"id": id})
    return None if row is None else HandleRow._make(row)


def handles_of_connection(tx: Queries, id: int) -> list[HandleRow]:
    """Return the open handles of a connection, oldest first."""
    return [HandleRow._make(row) for row in tx.all(_OF_CONNECTION, {"connection": id})]


def count_handles_of(tx: Transaction, id: int) -> int:
    """Return the number of open handles of a connection."""
    return int(tx.value(_COUNT_OF_CONNECTION, {"connection": id}))


def handles_on_queue(tx: Queries, queue: int) -> list[HandleRow]:
    """Return the handles that put to or get from a local queue, oldest first."""
    return [HandleRow._make(row) for row in tx.all(_ON_QUEUE, {"queue": queue})]


_CONNECTION_CONSUMES = Statement(
    update(connection).where(_c.id == bindparam("number")).values(consumption=bindparam("state"))
)
_HANDLE_CONSUMES = Statement(update(handle).where(_h.id == bindparam("number")).values(consumption=bindparam("state")))


def set_consumption(tx: Transaction, id: int, state: str | None, handles: Mapping[int, str]) -> None:
    """Store the state of a connection, unless that is None, and those of its handles by their numbers."""
    if state is not None:
        tx.run(_CONNECTION_CONSUMES, {"number": id, "state": state})
    if handles:
        tx.run_for_each(_HANDLE_CONSUMES, [{"number": each, "state": handles[each]} for each in handles])


def is_in_use(tx: Transaction, queue: int) -> bool:
    """Return whether a handle is open on the queue object or resolved through it."""
    return bool(handles_on_queue(tx, queue)) or tx.one(_RESOLVED_THROUGH, {"queue": queue}) is not None
