from __future__ import annotations

from pathlib import Path

from store.sqlite.driver import DriverConnection, open_connection, sqlite_library
from store.sqlite.pool import FilePool, MemoryPool


def opener(path: Path | None) -> tuple[list[DriverConnection], FilePool | MemoryPool]:
    """Return the list of connections opened so far, and a pool."""
    opened: list[DriverConnection] = []

    def connect() -> DriverConnection:
        opened.append(open_connection(sqlite_library(), None if path is None else str(path)))
        return opened[-1]

    return opened, MemoryPool(connect) if path is None else FilePool(str(path), connect, lambda: None)


def test_an_idle_connection_is_used_again(tmp_path: Path) -> None:
    opened, pool = opener(tmp_path / "x.db")
    one, other = pool.acquire(), pool.acquire()
    assert one is not other
    pool.release(one)
    assert pool.acquire() is one
    assert len(opened) == 2


def test_connections_released_during_a_fork_are_closed(tmp_path: Path) -> None:
    opened, pool = opener(tmp_path / "x.db")
    used = pool.acquire()
    assert not pool.before_fork(0.01)
    pool.release(used)
    assert not pool.before_fork(0.01)
    pool.after_fork_in_parent()
    assert pool.before_fork(0.01)
    pool.after_fork_in_parent()
    assert pool.acquire() is not used
    assert len(opened) == 2


def test_a_store_in_memory_has_one_connection_for_all(tmp_path: Path) -> None:
    opened, pool = opener(None)
    assert isinstance(pool, MemoryPool)
    assert pool.total_changes == 0
    connection = pool.acquire()
    connection.execute("CREATE TABLE t (a)")
    connection.execute("INSERT INTO t VALUES (1)")
    pool.release(connection)
    pool.close()
    assert pool.acquire() is connection
    assert (pool.total_changes, len(opened)) == (1, 1)


def test_a_child_gets_an_empty_store_when_another_thread_used_the_one_in_memory() -> None:
    _, pool = opener(None)
    used = pool.acquire()
    pool.after_fork_in_child()
    assert pool.acquire() is not used
