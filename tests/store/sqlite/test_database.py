"""Transactions, one_transaction() blocks, reading, and what interruptions leave behind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from store.admin import change, create, delete
from store.catalog import KINDS
from store.client.api import QueueManager, Store
from store.client.open_store import open_store
from store.error import MQError, StoreError
from store.sql import objects, queue_managers
from store.sqlite.database import Database, Reading, Transaction
from store.sqlite.driver import DriverConnection, sqlite_library
from store.sqlite.statement import Statement

QLOCAL = KINDS["QLOCAL"]
_NAMES = Statement(text("SELECT name FROM queue"))


def there(qmgr: QueueManager, *names: str) -> list[bool]:
    with Reading(qmgr.store.database) as reading:
        return [objects.by_name(reading, qmgr.name, "queue", name) is not None for name in names]


def create_all(qmgr: QueueManager, *names: str) -> None:
    for name in names:
        create(qmgr, QLOCAL, name, {})


def test_all_that_is_done_together_is_kept(qmgr: QueueManager) -> None:
    with qmgr.store.database.one_transaction():
        create(qmgr, QLOCAL, "A", {})
        change(qmgr, QLOCAL, "A", {"MAXDEPTH": 7})
        create(qmgr, QLOCAL, "B", {}, like="A")
        delete(qmgr, QLOCAL, "A")
    assert there(qmgr, "A", "B") == [False, True]


def test_an_exception_leaves_nothing(qmgr: QueueManager) -> None:
    with pytest.raises(MQError), qmgr.store.database.one_transaction():
        create_all(qmgr, "A", "A")
    assert there(qmgr, "A") == [False]


def test_a_part_that_fails_is_undone_alone(qmgr: QueueManager) -> None:
    with qmgr.store.database.one_transaction():
        create(qmgr, QLOCAL, "A", {})
        with pytest.raises(MQError):
            create(qmgr, QLOCAL, "B", {"INITQ": "X", "CLUSTER": "C", "CLUSNL": "N"})
        create(qmgr, QLOCAL, "C", {})
    assert there(qmgr, "A", "B", "C") == [True, False, True]


def test_blocks_inside_blocks_are_one(qmgr: QueueManager) -> None:
    def inner_then_failure() -> None:
        with qmgr.store.database.one_transaction():
            create_all(qmgr, "A")
        create_all(qmgr, "B", "B")

    with pytest.raises(MQError), qmgr.store.database.one_transaction():
        inner_then_failure()
    assert there(qmgr, "A", "B") == [False, False]
    create(qmgr, QLOCAL, "C", {})
    assert there(qmgr, "C") == [True]


def test_others_see_nothing_before_it_is_committed(qmgr: QueueManager) -> None:
    seen: list[list[bool]] = []

    def look() -> None:
        seen.append(there(qmgr, "A"))

    with qmgr.store.database.one_transaction():
        create(qmgr, QLOCAL, "A", {})
        other = threading.Thread(target=look)
        other.start()
        other.join()
        with open_store(f"sqlite:///{qmgr.store.path}", environment=qmgr.store.environment) as store:
            seen.append(there(store.queue_manager("QM1"), "A"))
    assert seen == [[False], [False]]
    assert there(qmgr, "A") == [True]


def test_a_disk_that_is_full_leaves_nothing_of_what_was_done_together(qmgr: QueueManager) -> None:
    database = qmgr.store.database

    def fill() -> None:
        assert database.enclosing_connection is not None
        database.enclosing_connection.execute("PRAGMA max_page_count = 1").fetchone()
        create_all(qmgr, *(f"Q{number}" for number in range(1000)))

    with pytest.raises(StoreError, match="the disk is full"), database.one_transaction():
        fill()
    assert there(qmgr, "Q0") == [False]


def test_a_store_in_memory_joins_too() -> None:
    with open_store("sqlite://") as store:
        qmgr = store.create_queue_manager("QM1")
        with pytest.raises(MQError), store.database.one_transaction():
            create_all(qmgr, "A", "A")
        assert there(qmgr, "A") == [False]


def test_what_is_read_in_one_state_does_not_see_what_comes_meanwhile(qmgr: QueueManager) -> None:
    with Reading(qmgr.store.database, one_state=True) as reading:
        before = objects.by_name(reading, "QM1", "queue", "A")
        create(qmgr, QLOCAL, "A", {})
        assert (before, objects.by_name(reading, "QM1", "queue", "A")) == (None, None)
    assert there(qmgr, "A") == [True]


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///{folder}/version.db"], ids=["memory", "file"])
def test_the_version_changes_with_what_is_changed_alone(tmp_path: Path, url: str) -> None:
    with open_store(url.format(folder=tmp_path)) as store:
        qmgr = store.create_queue_manager("QM1")
        before = store.database.data_version()
        with Transaction(store.database, durable=False):
            pass
        assert store.database.data_version() == before
        create_all(qmgr, "A")
        assert store.database.data_version() != before


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///{folder}/nested.db"], ids=["memory", "file"])
def test_reading_inside_a_transaction_does_not_end_it(tmp_path: Path, url: str) -> None:
    with open_store(url.format(folder=tmp_path)) as store:
        qmgr = store.create_queue_manager("QM1")
        with pytest.raises(KeyError):
            change_read_and_fail(qmgr)
        assert qmgr.row().is_default


def tidied(store: Store) -> bool:
    """Whether all of the log could be copied into the database, as it can when nothing is being read."""
    with closing(sqlite_library().connect(store.path, isolation_level=None, timeout=0)) as other:
        return bool(other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)


def goes_on(qmgr: QueueManager) -> None:
    """The log begins anew after what others wrote, and nothing of ours is in the way of what we write."""
    qmgr.store.database.busy_timeout = 0
    with open_store(f"sqlite:///{qmgr.store.path}", environment=qmgr.store.environment) as other:
        other.database.busy_timeout = 0
        create_all(other.queue_manager("QM1"), "OTHER")
    assert tidied(qmgr.store)
    delete(qmgr, QLOCAL, "OTHER")


@pytest.mark.parametrize("failure", [None, KeyError, KeyboardInterrupt])
def test_a_transaction_holds_no_rows_that_nobody_fetched(
    qmgr: QueueManager, failure: type[BaseException] | None
) -> None:
    def look(tx: Transaction) -> None:
        assert tx.one(_NAMES) is not None
        if failure is not None:
            raise failure

    expected = nullcontext() if failure is None else pytest.raises(failure)
    with expected, Transaction(qmgr.store.database, durable=False) as tx:
        look(tx)
    goes_on(qmgr)


@pytest.mark.parametrize("one_state", [False, True])
def test_pages_that_nobody_turned_hold_nothing_afterwards(qmgr: QueueManager, one_state: bool) -> None:
    with Reading(qmgr.store.database, one_state=one_state) as reading:
        pages = reading.pages(_NAMES, {}, 1)
        assert len(next(pages)) == 1
    goes_on(qmgr)
    with pytest.raises(sqlite_library().ProgrammingError):
        next(pages)


def test_pages_read_inside_a_transaction_hold_nothing_after_it(qmgr: QueueManager) -> None:
    with qmgr.store.database.one_transaction():
        with Reading(qmgr.store.database) as reading:
            pages = reading.pages(_NAMES, {}, 1)
            assert len(next(pages)) == 1
        create_all(qmgr, "A")
    goes_on(qmgr)


class InterruptedLook(Database):
    """A database whose next retried statement is interrupted just after it was executed."""

    is_interrupted = False

    def retry_while_busy(self, attempt: Callable[[], Any]) -> Any:
        """As its base does."""
        if not self.is_interrupted:
            return super().retry_while_busy(attempt)
        super().retry_while_busy(attempt)
        raise KeyboardInterrupt


def test_an_interruption_of_a_look_for_changes_holds_nothing(qmgr: QueueManager) -> None:
    assert qmgr.store.path is not None
    database = InterruptedLook(qmgr.store.path)
    database.data_version()
    database.is_interrupted = True
    with pytest.raises(KeyboardInterrupt):
        database.data_version()
    goes_on(qmgr)
    database.close()


class Interrupted(Database):
    """A database whose next transaction is interrupted when it has just begun."""

    def _begin_immediate(self, connection: Any) -> None:
        super()._begin_immediate(connection)
        raise KeyboardInterrupt


def test_an_interruption_when_a_transaction_has_begun_holds_up_nobody(tmp_path: Path) -> None:
    path = tmp_path / "interrupted.db"
    with open_store(f"sqlite:///{path}") as store:
        store.database.busy_timeout = 0
        interrupted = Interrupted(str(path))
        with pytest.raises(KeyboardInterrupt):
            interrupted.begin(durable=False)
        store.create_queue_manager("QM1")
        interrupted.close()


class InterruptedCommit(Database):
    """A database whose transactions are interrupted when they are about to be committed."""

    def commit(self, connection: DriverConnection) -> None:
        """As its base does, but never."""
        raise KeyboardInterrupt


def test_an_interruption_before_a_commit_leaves_nothing_open(qmgr: QueueManager) -> None:
    assert qmgr.store.path is not None
    database = InterruptedCommit(qmgr.store.path)
    database.busy_timeout = 0
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt), Transaction(database, durable=False) as tx:
            queue_managers.set_columns(tx, qmgr.name, {"is_default": 0})
        goes_on(qmgr)
    assert qmgr.row().is_default
    database.close()


def change_read_and_fail(qmgr: QueueManager) -> None:
    with Transaction(qmgr.store.database, durable=False) as tx:
        queue_managers.set_columns(tx, qmgr.name, {"is_default": 0})
        qmgr.row()
        raise KeyError
