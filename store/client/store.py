"""A store: one SQLite file that holds queue managers, their objects, messages and history."""

from __future__ import annotations

import os
import threading
import weakref
from importlib import import_module
from pathlib import Path
from typing import Any, Self

from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.schema import CreateIndex, CreateTable

from store.client.queue_manager import QueueManager
from store.engine import recovery
from store.engine.call_context import time_of
from store.environment import Clock, Environment
from store.error import MQError, StoreError
from store.published import PENDING_VIEW, Bound
from store.sql import connections, events, queue_managers
from store.sql.rows import ManagerRow
from store.sql.schema import APPLICATION_ID, SCHEMA_VERSION, metadata
from store.sqlite import liveness
from store.sqlite.database import Reading, Transaction
from store.sqlite.database_file import Database
from store.sqlite.liveness import LivenessFile
from store.sqlite.statement import Statement

Q_MGR_NAME_ERROR = 2058


def open_store(url: str, environment: Environment[Clock] | None = None, *, create: bool = True) -> Store:
    """Open the store at `url` (`sqlite:///path`, or `sqlite://` for one in memory), creating it when it is missing.

    Raises StoreError when there is no usable store: not a database, read-only folder, written by a newer version,
    missing while `create` is false.
    """
    return Store(_path_of(url), environment or Environment.system(), create=create)


class Store:
    """One SQLite file, opened by this process."""

    def __init__(self, path: str | None, environment: Environment[Any], *, create: bool = True) -> None:
        if path is not None and not create and not os.path.exists(path):
            raise StoreError(f"there is no store at {path}")
        self.path = path
        self.environment = environment
        self.database = Database(path)
        self._opening = threading.Lock()
        self._alive: LivenessFile | None = None
        self._process = 0
        # Connections that were collected without being closed; backed out by the next call (design §2.2).
        self.abandoned: list[int] = []
        # How often this process was forked from one that had the store open: a connection of before answers 2018.
        self.forks = 0
        _prepare(self.database)
        _OPEN_STORES.add(self)

    def create_queue_manager(
        self, name: str, *, manual_clock_at: int | None = None, default: bool = False
    ) -> QueueManager:
        """Create a queue manager with its SYSTEM objects and start it; the first of a store becomes the default."""
        from store.admin.queue_managers import create_queue_manager

        create_queue_manager(self, name, manual_clock_at=manual_clock_at, default=default)
        created = QueueManager(self, name)
        created.start()
        return created

    def queue_manager(self, name: str = "") -> QueueManager:
        """The queue manager of that name, or the default one for a blank name; MQError 2058 when there is none."""
        with Reading(self.database) as reading:
            row = queue_managers.by_name(reading, name) if name else queue_managers.default(reading)
        if row is None:
            raise MQError(Q_MGR_NAME_ERROR, name)
        return QueueManager(self, row.name)

    def queue_managers(self) -> list[ManagerRow]:
        """Every queue manager of the store, by name; one that waited for dead programs alone has ended."""
        self.recover()
        with Reading(self.database) as reading:
            return queue_managers.all(reading)

    def bound(self) -> Bound:
        """Up to where a report that starts now reads: last event, last message, the time of every queue manager."""
        with Reading(self.database) as reading:
            seq, message = events.bound(reading)
            rows = queue_managers.all(reading)
        return Bound(seq, message, {row.name: time_of(row, self.environment) for row in rows})

    def process(self) -> int:
        """The number of this process in the store; its liveness file exists and is locked from here on."""
        if self.path is None:
            return 0
        with self._opening:
            if self._process == 0:
                # Kept from now on: a child that is forked while the store is waited for must let go of it.
                alive = self._alive = LivenessFile(liveness.folder_beside(self.path))
                try:
                    with Transaction(self.database, durable=False) as tx:
                        number = connections.add_process(tx, alive.name)
                except BaseException:
                    alive.release()
                    self._alive = None
                    raise
                self._process = number
        return self._process

    def recover(self) -> bool:
        """Back out and close what dead processes left behind; whether there was anything."""
        return recovery.recover_dead(self, self._process)

    def close(self) -> None:
        """Close the file. Connections still open are abandoned: the next to come backs them out."""
        try:
            if self._alive is not None:
                with Transaction(self.database, durable=False) as tx:
                    if not connections.of_process(tx, self._process):
                        connections.drop_process(tx, self._process)
        finally:
            self.database.close()
            if self._alive is not None:
                self._alive.release()
                self._alive = None
                self._process = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def after_fork_in_child(self) -> None:
        """The child owns none of its parent's connections: they answer 2018, and the lock stays the parent's."""
        self.forks += 1
        self.database.after_fork_in_child()
        if self._alive is not None:
            self._alive.forget()
            self._alive = None
        self._process = 0
        # The finalizers of inherited connections keep the old list: they must not end what is the parent's.
        self.abandoned = []
        self._opening = threading.Lock()


_ANYTHING = Statement(text("SELECT count(*) FROM sqlite_master"))
_OPEN_STORES: weakref.WeakSet[Store] = weakref.WeakSet()


_HELD_FOR_FORK: list[Store] = []
# Two threads may fork at once.
_FORKING = threading.Lock()


# Loaded when a call is first made. A child forked while another thread loads one would wait for that thread for ever.
_LOADED_LATE = (
    *(f"store.mqi.{name}" for name in ("close", "get", "inquire", "open", "put", "put1", "set", "syncpoint")),
    *(f"store.admin.{name}" for name in ("queue_managers", "start_and_end")),
)


def _before_fork() -> None:
    _FORKING.acquire()
    if _OPEN_STORES:
        for name in _LOADED_LATE:
            import_module(name)
    _HELD_FOR_FORK[:] = _OPEN_STORES
    for store in _HELD_FOR_FORK:
        store.database.before_fork()


def _after_fork_in_parent() -> None:
    while _HELD_FOR_FORK:
        _HELD_FOR_FORK.pop().database.after_fork_in_parent()
    _FORKING.release()


def _after_fork_in_child() -> None:
    while _HELD_FOR_FORK:
        _HELD_FOR_FORK.pop().after_fork_in_child()
    # The thread that took it is the one that the child has.
    _FORKING.release()


os.register_at_fork(before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child)


def _path_of(url: str) -> str | None:
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise StoreError(f"{url!r} is not the address of a store; write sqlite:///PATH") from error
    if parsed.get_backend_name() != "sqlite":
        raise StoreError(f"a store is an SQLite file: write sqlite:///PATH, not {parsed.drivername}://")
    if parsed.database in (None, "", ":memory:"):
        return None
    return str(Path(str(parsed.database)).expanduser().absolute())


def _prepare(database: Database) -> None:
    """Create the tables in a new file; refuse a file that is something else or of a newer version."""
    with Reading(database) as reading:
        version, application = reading.pragma("user_version"), reading.pragma("application_id")
    if version and application != APPLICATION_ID:
        raise StoreError(f"{database.path} is an SQLite database of something else, not a store")
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{database.path} was written by a newer version of mqsc (its schema is {version}, this one knows "
            f"{SCHEMA_VERSION}); upgrade mqsc to use it"
        )
    if version < SCHEMA_VERSION:
        with Transaction(database, durable=True) as tx:
            version = tx.pragma("user_version")
            if version == 0:
                _create_tables(tx, database)
            elif version < SCHEMA_VERSION:
                _upgrade(tx, database, version)


def _upgrade(tx: Transaction, database: Database, version: int) -> None:
    from store.sqlite import migrations  # Alembic takes a tenth of a second to load

    folder = liveness.folder_beside(database.path or "")
    if any(not liveness.is_dead(folder, file) for _, file in connections.other_processes(tx, mine=0)):
        raise StoreError(
            f"{database.path} was written by an older version of mqsc, and programs of that version are using it; end "
            "them, then it is upgraded"
        )
    migrations.upgrade(tx, version)


def _create_tables(tx: Transaction, database: Database) -> None:
    if tx.value(_ANYTHING):
        raise StoreError(f"{database.path} is an SQLite database of something else, not a store")
    for table in metadata.sorted_tables:
        tx.script([Statement(CreateTable(table)).text])
        indexes = sorted(table.indexes, key=lambda each: str(each.name))
        tx.script(Statement(CreateIndex(index)).text for index in indexes)
    tx.script(
        (
            PENDING_VIEW,
            f"PRAGMA user_version = {SCHEMA_VERSION}",
            f"PRAGMA application_id = {APPLICATION_ID}",
        )
    )
