"""Transactions, one_transaction() blocks, reads, and the state after interruptions; statements
and connections.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from mqsc.store.admin.altering import change
from mqsc.store.admin.defining import create
from mqsc.store.admin.deleting import delete
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.error import MQError, StoreError
from mqsc.store.sql import managers, objects
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sqlite.database import Database, Reading, Transaction
from mqsc.store.sqlite.driver import DriverConnection, open_connection, sqlite_library
from mqsc.store.sqlite.pool import FilePool, MemoryPool
from mqsc.store.sqlite.statement import insert_text

QLOCAL = KINDS["QLOCAL"]
_NAMES = text_of(text("SELECT name FROM queue"))


def there(qmgr: QueueManager, *names: str) -> list[bool]:
    with Reading(qmgr.store.database) as reading:
        return [objects.by_name(reading, qmgr.name, "queue", name) is not None for name in names]


def create_all(qmgr: QueueManager, *names: str) -> None:
    for name in names:
        create(qmgr, QLOCAL, name, {})


def test_one_transaction_commits_everything_or_rolls_it_back(qmgr: QueueManager) -> None:
    with qmgr.store.database.one_transaction():
        create(qmgr, QLOCAL, "A", {})
        change(qmgr, QLOCAL, "A", {"MAXDEPTH": 7})
        create(qmgr, QLOCAL, "B", {}, like="A")
        delete(qmgr, QLOCAL, "A")
    assert there(qmgr, "A", "B") == [False, True]
    with pytest.raises(MQError), qmgr.store.database.one_transaction():
        create_all(qmgr, "C", "C")
    assert there(qmgr, "C") == [False]


def test_a_nested_transaction_that_fails_is_rolled_back_alone(qmgr: QueueManager) -> None:
    with qmgr.store.database.one_transaction():
        create(qmgr, QLOCAL, "A", {})
        with pytest.raises(MQError):
            create(qmgr, QLOCAL, "B", {"INITQ": "X", "CLUSTER": "C", "CLUSNL": "N"})
        create(qmgr, QLOCAL, "C", {})
    assert there(qmgr, "A", "B", "C") == [True, False, True]


def test_nested_blocks_are_one_transaction(qmgr: QueueManager) -> None:
    def inner_then_failure() -> None:
        with qmgr.store.database.one_transaction():
            create_all(qmgr, "A")
        create_all(qmgr, "B", "B")

    with pytest.raises(MQError), qmgr.store.database.one_transaction():
        inner_then_failure()
    assert there(qmgr, "A", "B") == [False, False]
    create(qmgr, QLOCAL, "C", {})
    assert there(qmgr, "C") == [True]


def test_others_see_nothing_before_the_commit(qmgr: QueueManager) -> None:
    with qmgr.store.database.one_transaction(), ThreadPoolExecutor(1) as other:
        create(qmgr, QLOCAL, "A", {})
        assert other.submit(there, qmgr, "A").result() == [False]
        with open_store(
            f"sqlite:///{qmgr.store.path}",
            environment=qmgr.store.environment,
        ) as store:
            assert there(store.queue_manager("QM1"), "A") == [False]
    assert there(qmgr, "A") == [True]


def test_a_full_disk_rolls_everything_back(qmgr: QueueManager) -> None:
    database = qmgr.store.database

    def fill() -> None:
        assert database.enclosing_connection is not None
        database.enclosing_connection.execute("PRAGMA max_page_count = 1").fetchone()
        create_all(qmgr, *(f"Q{number}" for number in range(1000)))

    with pytest.raises(StoreError, match="the disk is full"), database.one_transaction():
        fill()
    assert there(qmgr, "Q0") == [False]


def test_a_store_in_memory_has_nested_transactions_too() -> None:
    with open_store("sqlite://") as store:
        qmgr = store.create_queue_manager("QM1")
        with pytest.raises(MQError), store.database.one_transaction():
            create_all(qmgr, "A", "A")
        assert there(qmgr, "A") == [False]


def test_reading_one_state_does_not_see_later_changes(qmgr: QueueManager) -> None:
    with Reading(qmgr.store.database, one_state=True) as reading:
        before = objects.by_name(reading, "QM1", "queue", "A")
        create(qmgr, QLOCAL, "A", {})
        assert (before, objects.by_name(reading, "QM1", "queue", "A")) == (None, None)
    assert there(qmgr, "A") == [True]


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///{folder}/own.db"], ids=["memory", "file"])
def test_reading_inside_a_transaction_and_the_data_version(tmp_path: Path, url: str) -> None:
    """The version changes only with data; reading does not end the transaction around it."""
    with open_store(url.format(folder=tmp_path)) as store:
        qmgr = store.create_queue_manager("QM1")
        before = store.database.data_version()
        with Transaction(store.database, durable=False):
            pass
        assert store.database.data_version() == before
        create_all(qmgr, "A")
        assert store.database.data_version() != before
        with pytest.raises(KeyError):
            change_read_and_fail(qmgr)
        assert qmgr.row().is_default


def assert_nothing_is_held(qmgr: QueueManager) -> None:
    """Check that another program can write, and truncate the log, for which nothing reads, and
    this one afterwards.
    """
    qmgr.store.database.busy_timeout = 0
    with open_store(f"sqlite:///{qmgr.store.path}", environment=qmgr.store.environment) as store:
        store.database.busy_timeout = 0
        create_all(store.queue_manager("QM1"), "OTHER")
    with closing(
        sqlite_library().connect(qmgr.store.path, isolation_level=None, timeout=0),
    ) as other:
        assert other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    delete(qmgr, QLOCAL, "OTHER")


@pytest.mark.parametrize("failure", [None, KeyError, KeyboardInterrupt])
def test_a_transaction_keeps_no_unfetched_rows_open(
    qmgr: QueueManager,
    failure: type[BaseException] | None,
) -> None:
    def look(tx: Transaction) -> None:
        assert tx.first_row(_NAMES) is not None
        if failure is not None:
            raise failure

    expected = nullcontext() if failure is None else pytest.raises(failure)
    with expected, Transaction(qmgr.store.database, durable=False) as tx:
        look(tx)
    assert_nothing_is_held(qmgr)


@pytest.mark.parametrize("one_state", [False, True])
def test_unread_pages_hold_nothing_after_the_block(qmgr: QueueManager, one_state: bool) -> None:
    with Reading(qmgr.store.database, one_state=one_state) as reading:
        pages = reading.pages(_NAMES, (), 1)
        assert len(next(pages)) == 1
    assert_nothing_is_held(qmgr)
    with pytest.raises(sqlite_library().ProgrammingError):
        next(pages)


def test_pages_read_inside_a_transaction_hold_nothing_after_it(qmgr: QueueManager) -> None:
    with qmgr.store.database.one_transaction():
        with Reading(qmgr.store.database) as reading:
            pages = reading.pages(_NAMES, (), 1)
            assert len(next(pages)) == 1
        create_all(qmgr, "A")
    assert_nothing_is_held(qmgr)


class Interrupted(Database):
    """A database that is interrupted just before a statement or just after one, or after one
    that it tries again.
    """

    before = after = ""
    is_interrupted = False

    def retry_while_busy(self, attempt: Callable[[], Any]) -> Any:
        found = super().retry_while_busy(attempt)
        if self.is_interrupted:
            raise KeyboardInterrupt
        return found

    def _connect(self) -> DriverConnection:
        connection = super()._connect()
        execute = connection.execute_reusing_cursor

        def interrupted(text: str, parameters: Sequence[object] = ()) -> object:
            if text == self.before:
                raise KeyboardInterrupt
            found = execute(text, parameters)
            if text == self.after:
                raise KeyboardInterrupt
            return found

        connection.execute_reusing_cursor = interrupted
        return connection


@pytest.fixture
def interrupted(qmgr: QueueManager) -> Iterator[Interrupted]:
    database = Interrupted(str(qmgr.store.path))
    database.busy_timeout = 0
    yield database
    database.close()


def test_an_interruption_of_data_version_holds_nothing(
    qmgr: QueueManager,
    interrupted: Interrupted,
) -> None:
    interrupted.data_version()
    interrupted.is_interrupted = True
    with pytest.raises(KeyboardInterrupt):
        interrupted.data_version()
    assert_nothing_is_held(qmgr)


def test_an_interruption_after_begin_releases_the_lock(
    qmgr: QueueManager,
    interrupted: Interrupted,
) -> None:
    interrupted.after = "BEGIN IMMEDIATE"
    with pytest.raises(KeyboardInterrupt):
        interrupted.begin(durable=False)
    qmgr.store.database.busy_timeout = 0
    qmgr.store.create_queue_manager("QM2")


def test_an_interruption_before_commit_rolls_back(
    qmgr: QueueManager,
    interrupted: Interrupted,
) -> None:
    interrupted.before = "COMMIT"
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt), Transaction(interrupted, durable=False) as tx:
            managers.set_columns(tx, qmgr.name, {"is_default": 0})
        assert_nothing_is_held(qmgr)
    assert qmgr.row().is_default


def change_read_and_fail(qmgr: QueueManager) -> None:
    with Transaction(qmgr.store.database, durable=False) as tx:
        managers.set_columns(tx, qmgr.name, {"is_default": 0})
        qmgr.row()
        raise KeyError


def test_an_insert_keeps_the_order_of_its_columns(store: Store) -> None:
    text = insert_text("message", ("sequence", "offset", "queue", "body", "msg_id"))
    with Transaction(store.database, durable=False) as tx:
        id = tx.execute(text, [7, 16, 3, b"data", bytes(24)]).lastrowid
        look = 'SELECT queue, sequence, "offset", body FROM message WHERE id = :id'
        assert tx.first_row(look, {"id": id}) == (3, 7, 16, b"data")


def opener(path: Path | None) -> tuple[list[DriverConnection], FilePool | MemoryPool]:
    """Return the list of connections opened so far, and a pool."""
    opened: list[DriverConnection] = []

    def connect() -> DriverConnection:
        opened.append(open_connection(sqlite_library(), None if path is None else str(path)))
        return opened[-1]

    return opened, MemoryPool(connect) if path is None else FilePool(
        str(path),
        connect,
        lambda: None,
    )


def test_an_idle_connection_is_used_again_but_one_that_was_released_during_a_fork_is_closed(
    tmp_path: Path,
) -> None:
    opened, pool = opener(tmp_path / "x.db")
    idle, used = pool.acquire(), pool.acquire()
    assert idle is not used
    pool.release(idle)
    assert pool.acquire() is idle
    pool.release(idle)
    assert not pool.before_fork(0.01)
    pool.release(used)
    assert not pool.before_fork(0.01)
    pool.after_fork_in_parent()
    assert pool.before_fork(0.01)
    pool.after_fork_in_parent()
    assert pool.acquire() not in (used, idle)
    assert len(opened) == 3


def test_a_store_in_memory_has_one_connection_for_all() -> None:
    """A child gets an empty store when another thread used the one in memory."""
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
    pool.after_fork_in_child()
    assert pool.acquire() is not connection
