"""One SQLite file: who writes it, who waits for whom, what a fork must not share, and what a failure is called.

What differs between databases is here and in the driver's file, with the reason beside it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from store.environment import elapsed_real_seconds, pause_a_moment
from store.error import MQError
from store.sqlite.database import Transaction
from store.sqlite.driver import PRAGMAS, DriverConnection, open_connection, sqlite_library
from store.sqlite.faults import fault_of, is_busy, is_of_the_store
from store.sqlite.files import create_private, refuse_network_file_system
from store.sqlite.liveness import folder_beside
from store.sqlite.pool import FilePool, MemoryPool, Pool
from store.sqlite.writer_lock import WriterLock

# 60 s: longer than any transaction of ours by three orders of magnitude, shorter than an operator's patience.
BUSY_SECONDS = 60.0
# Other threads' calls take milliseconds; a thread that forks in the middle of its own would wait in vain.
FORK_SECONDS = 5.0
RESOURCE_PROBLEM = 2102


class _Together(threading.local):
    """The connection of the transaction that a thread's transactions are parts of."""

    connection: DriverConnection | None = None


class Database:
    """One SQLite file as a process sees it: who writes, how a transaction begins and ends, what came of it."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        # How many seconds a call waits for other programs before it fails with 2102.
        self.patience = BUSY_SECONDS
        self._library = sqlite_library()
        self._together = _Together()
        self._watch: DriverConnection | None = None
        self._watching = threading.Lock()
        self._is_forking = False
        self._writer: WriterLock | None = None
        self._pool: Pool
        if path is None:
            self._pool = MemoryPool(self._connect)
            return
        refuse_network_file_system(path)
        create_private(path)
        self._writer = WriterLock(folder_beside(path))
        self._pool = FilePool(path, self._connect)

    def take(self) -> DriverConnection:
        """A connection to read with; to be given back."""
        return self._pool.take()

    def give_back(self, connection: DriverConnection) -> None:
        """Keep `connection` for whoever comes next."""
        self._pool.give_back(connection)

    @property
    def joined(self) -> DriverConnection | None:
        """The connection of the transaction that this thread's transactions are parts of, or None."""
        return self._together.connection

    @contextmanager
    def together(self) -> Iterator[None]:
        """One durable transaction around all that this thread does: every part of it is kept, or none.

        A part that fails is undone alone; leaving the block by an exception undoes everything. Other threads and
        processes see nothing of it before it is committed.
        """
        around = self.joined
        with Transaction(self, durable=True) as outer:
            self._together.connection = outer.connection
            try:
                yield
            finally:
                self._together.connection = around

    def begin(self, *, durable: bool) -> DriverConnection:
        """A connection inside BEGIN IMMEDIATE; `durable` ones sync the log at COMMIT. To be ended by end().

        A deferred transaction that turns to writing fails at once whatever the busy timeout says, so every write begins
        as one. MQError 2102 when another program does not let the store go in time.
        """
        connection = self._pool.take()
        writer = self._writer
        try:
            if connection.syncs is not durable:
                # One cache serves both. A script is compiled anew each time: the pragma takes effect when it is
                # compiled, not when it is run.
                pragma = f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}"
                self.patiently(partial(connection.executescript, pragma))
                connection.syncs = durable
            if writer is not None and not writer.take(self.patience):
                raise self._held_too_long()
            try:
                self._begin_immediate(connection)
            except BaseException:
                if writer is not None:
                    writer.release()
                raise
        except BaseException:
            # An interruption may come when it has begun.
            if connection.in_transaction:
                connection.execute_in_turn("ROLLBACK")
            self._pool.give_back(connection)
            raise
        return connection

    def _begin_immediate(self, connection: DriverConnection) -> None:
        try:
            connection.execute_in_turn("BEGIN IMMEDIATE")
        except self._library.OperationalError as error:
            if not is_busy(error):
                raise fault_of(error, self.path) from error
            # Somebody writes who knows nothing of our lock.
            self.patiently(partial(connection.execute_in_turn, "BEGIN IMMEDIATE"))

    def end(self, connection: DriverConnection) -> None:
        """The transaction is over: others may write."""
        try:
            if self._writer is not None:
                self._writer.release()
        finally:
            self._pool.give_back(connection)

    def commit(self, connection: DriverConnection) -> None:
        """COMMIT; a disk that is full or a file that became read-only rolls back and raises StoreError."""
        try:
            connection.execute_in_turn("COMMIT")
        except BaseException as error:
            self._commit_yet(connection, error)

    def _commit_yet(self, connection: DriverConnection, failure: BaseException) -> None:
        try:
            if not (isinstance(failure, self._library.OperationalError) and is_busy(failure)):
                raise failure
            self.patiently(partial(connection.execute_in_turn, "COMMIT"))
        except BaseException as error:
            self.roll_back(connection, error)
            raise

    def roll_back(self, connection: DriverConnection, error: BaseException | None) -> None:
        """ROLLBACK; when the database itself failed, StoreError says why in words for the user."""
        if connection.in_transaction:
            connection.execute_in_turn("ROLLBACK")
        self.explain(error)

    def explain(self, error: BaseException | None) -> None:
        """StoreError in words for the user, or MQError 2102, when `error` says that the database itself failed."""
        if is_of_the_store(error, self._library):
            raise (self._held_too_long() if is_busy(error) else fault_of(error, self.path)) from error

    def patiently(self, attempt: Callable[[], Any]) -> Any:
        """Call `attempt` until the database is not busy; what it returns. StoreError when it failed, MQError 2102.

        SQLite's own handler sleeps up to 100 ms between attempts, which starves writers; short random pauses measured
        far fairer.
        """
        deadline = elapsed_real_seconds() + self.patience
        while True:
            try:
                return attempt()
            except self._library.DatabaseError as error:
                if not is_of_the_store(error, self._library):
                    raise
                if not is_busy(error):
                    raise fault_of(error, self.path) from error
                if elapsed_real_seconds() > deadline:
                    raise self._held_too_long() from error
                pause_a_moment()

    def _held_too_long(self) -> MQError:
        return MQError(RESOURCE_PROBLEM, f"{self.path}, held by another program for {self.patience:g} seconds")

    def version(self) -> int:
        """A number that changes with every commit that changed something, of any process; cheap to look at."""
        with self._watching:
            if isinstance(self._pool, MemoryPool):
                return self._pool.changes
            if self._watch is None:
                self._watch = self._connect()
            # In turn, a row that an interruption keeps us from fetching would keep the log until the next look.
            return int(self.patiently(partial(self._watch.execute, "PRAGMA data_version")).fetchone()[0])

    def close(self) -> None:
        """Close the connections that nobody uses."""
        self._pool.close()
        with self._watching:
            self._stop_watching()
        if self._writer is not None:
            self._writer.close()

    def _stop_watching(self) -> None:
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def before_fork(self) -> None:
        """Close everything: SQLite in a forked child would take its parent's locks for its own, and lose data."""
        # An interruption leaves the others' stores unprepared: each undoes what was done with it, and no more.
        self._is_forking = self._watching.acquire()
        self._stop_watching()
        if self._pool.before_fork(FORK_SECONDS) and self._writer is not None:
            self._writer.close()

    def after_fork_in_parent(self) -> None:
        """Go on."""
        if self._is_forking:
            self._is_forking = False
            self._watching.release()
        self._pool.after_fork_in_parent()

    def after_fork_in_child(self) -> None:
        """Begin anew: no connection, no lock."""
        self._watching, self._is_forking = threading.Lock(), False
        self._together = _Together()
        self._pool.after_fork_in_child()
        if self._writer is not None:
            self._writer.forget()

    def _connect(self) -> DriverConnection:
        connection = None
        try:
            connection = open_connection(self._library, self.path)
            for pragma in PRAGMAS:
                self.patiently(partial(connection.execute, pragma)).fetchall()
        except BaseException as error:
            if connection is not None:
                connection.close()
            self.explain(error)
            raise
        return connection
