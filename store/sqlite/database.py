"""One SQLite file as a process uses it: transactions, reading, durability, retries, forks.

Code that would differ for another database is here and in `driver`, with the reason beside it. The
classes share a file because each refers to the others.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

from mqsc.store.constants import MQRC
from mqsc.store.environment import elapsed_real_seconds, pause_a_moment
from mqsc.store.error import DiskFullError, MQError, StoreError
from mqsc.store.sqlite import driver, driver_errors
from mqsc.store.sqlite.driver import DriverConnection
from mqsc.store.sqlite.files import create_private, first_page, refuse_network_file_system
from mqsc.store.sqlite.interruptions import (
    Interruptible,
    enter,
    leave,
    main_thread,
    run_handlers_while_held,
    run_pending_handlers,
)
from mqsc.store.sqlite.liveness import folder_beside
from mqsc.store.sqlite.locks import WriterLock
from mqsc.store.sqlite.mounts import refuse_mounted_alone
from mqsc.store.sqlite.open_files import OpenFiles
from mqsc.store.sqlite.patience import patience
from mqsc.store.sqlite.pool import FilePool, MemoryPool
from mqsc.store.sqlite.queries import Queries
from mqsc.store.sqlite.reserve import Reserve, may_be_database
from mqsc.store.sqlite.statement import insert_text
from mqsc.store.sqlite.untouched import cannot_be_written

# A thousand times longer than any of our transactions, and short enough for an operator to wait.
BUSY_TIMEOUT_SECONDS = 60.0
# Calls of other threads take milliseconds. A thread that forks inside its own transaction would
# wait forever.
FORK_TIMEOUT_SECONDS = 5.0
# Check the size of the reserve for a full disk after this many commits: it grows with the store.
COMMITS_PER_CHECK = 64

# The space that a call takes in the log, apart from large messages.
ROOM_FOR_A_CALL = 128 << 10
# So often a call is made again with the reserved space when the disk is full.
ATTEMPTS_WITH_RESERVE = 4

Result = TypeVar("Result")
_NO_PARAMETERS: Mapping[str, Any] = {}


class Transaction(Queries):
    """A database transaction: BEGIN IMMEDIATE on entry, COMMIT on exit, ROLLBACK on exit by an
    exception.

    Inside Database.one_transaction() it is a savepoint of the enclosing transaction instead.
    """

    __slots__ = ("_database", "_durable", "_in_call", "_is_nested")

    def __init__(self, database: Database, durable: bool) -> None:
        self._database = database
        self._durable = durable

    def __enter__(self) -> Self:
        # In a call handlers wait already.
        self._in_call = main_thread.depth > main_thread.interruptible_depth
        if not self._in_call:
            enter()
        try:
            enclosing = self._database.enclosing.connection
            self._is_nested = enclosing is not None
            if enclosing is not None:
                enclosing.execute_reusing_cursor("SAVEPOINT nested")
                self._connection = enclosing
            else:
                self._connection = self._database.begin(durable=self._durable)
        except BaseException:
            if not self._in_call:
                leave()
            raise
        self.execute = self._connection.execute_reusing_cursor
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        _: object,
    ) -> None:
        try:
            if not self._is_nested:
                self._database.end(self._connection, error)
            # A full disk rolls back the whole transaction, savepoints included.
            elif self._connection.in_transaction:
                if kind is not None:
                    self._connection.execute_reusing_cursor("ROLLBACK TO nested")
                self._connection.execute_reusing_cursor("RELEASE nested")
        finally:
            if not self._in_call:
                leave()

    def run(self, text: str, parameters: Mapping[str, Any] = _NO_PARAMETERS) -> int:
        """Execute a statement; return the number of rows changed."""
        return self.execute(text, parameters).rowcount

    def execute_for_each(self, text: str, rows: Iterable[Sequence[Any]]) -> None:
        """Execute the text of a statement once for each row of values in order."""
        self._connection.executemany(text, rows)

    def insert(self, table: str, row: Mapping[str, Any]) -> int:
        """Insert a row of values by the names of columns; the others have their defaults. Return
        its rowid.
        """
        return self.execute(insert_text(table, tuple(row)), tuple(row.values())).lastrowid

    def replace(self, table: str, row: Mapping[str, Any] | NamedTuple) -> None:
        """Insert a row, in place of the one with the same key if there is one."""
        values = row._asdict() if isinstance(row, tuple) else row
        self.execute(
            insert_text(table, tuple(values), instead="OR REPLACE"),
            tuple(values.values()),
        )

    def script(self, texts: Iterable[str]) -> None:
        """Execute statements given as SQL text, without parameters."""
        for text in texts:
            self.execute(text, ())


class Reading(Queries):
    """Reads outside any transaction: each statement sees one consistent state and holds nothing
    afterwards.

    With `one_state` all statements see the same state. Until the end of the block SQLite then
    cannot truncate its log, so keep the block short.
    """

    __slots__ = ("_cursors", "_database", "_enclosing", "_one_state")

    def __init__(self, database: Database, *, one_state: bool = False) -> None:
        self._database = database
        self._one_state = one_state

    def __enter__(self) -> Self:
        enter()
        try:
            self._cursors: list[Any] = []
            self._enclosing = self._database.enclosing_connection
            self._connection = self._enclosing or self._database.acquire_connection()
            self.execute = self._execute_while_busy
            if self._one_state and self._enclosing is None:
                self._connection.execute("BEGIN")
        except BaseException:
            leave()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        _: object,
    ) -> None:
        try:
            # An open cursor, which the traceback of an exception may keep alive, would hold a read
            # transaction open.
            for cursor in self._cursors:
                cursor.close()
            if self._enclosing is None:
                try:
                    if self._one_state and self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
                finally:
                    self._database.release_connection(self._connection)
                # SQLite reads row by row, so a damaged page may be found only now.
                self._database.raise_failure(error)
        finally:
            leave()

    def pages(self, text: str, values: Sequence[Any], size: int) -> Iterator[list[Any]]:
        """Yield every row, `size` at a time; other statements may be executed in between."""
        cursor = self.execute(text, values)
        self._cursors.append(cursor)
        while page := cursor.fetchmany(size):
            yield page

    def _execute_while_busy(self, text: str, parameters: Any) -> Any:
        return self._database.retry_while_busy(lambda: self._connection.execute(text, parameters))


class _Enclosing(threading.local):
    """The connection of the transaction that encloses the transactions of a thread."""

    connection: DriverConnection | None = None


class Database:
    """One SQLite file, or one database in memory, as a process uses it."""

    def __init__(
        self,
        path: str | None,
        functions: Mapping[str, Callable[..., Any]] = _NO_PARAMETERS,
        *,
        untouched: bool = False,
    ) -> None:
        """`functions` are those that triggers of the schema call, by name. `untouched` is for a
        file that is only read, and that no other process writes: transactions then fail.
        """
        self.path = path
        self._functions = functions
        # How many seconds a call waits for other programs before it fails with
        # MQRC_RESOURCE_PROBLEM.
        self.busy_timeout = BUSY_TIMEOUT_SECONDS
        self._library = driver.sqlite_library()
        self.enclosing = _Enclosing()
        # A connection only for data_version(), which compares states that the same connection has
        # seen.
        self._watcher: DriverConnection | None = None
        self._watcher_lock = threading.Lock()
        self._is_forking = False
        self._writer_lock: WriterLock | None = None
        self._files: OpenFiles | None = None
        self._reserve: Reserve | None = None
        self._commits_to_check = COMMITS_PER_CHECK
        self._pool: FilePool | MemoryPool
        if path is None:
            self._pool = MemoryPool(self._connect)
            return
        if untouched:
            self._pool = FilePool(path, self._look, lambda: None)
            return
        refuse_network_file_system(path)
        refuse_mounted_alone(path)
        # SQLite would leave files beside it before it refuses to write.
        if os.path.isfile(path) and cannot_be_written(path):
            raise driver_errors.unwritable_error(path)
        create_private(path, first_page())
        self._reserve = Reserve(path)
        if may_be_database(path):
            self._reserve.keep()
        self._writer_lock = WriterLock(folder_beside(path), Path(path))
        self._files = OpenFiles(path, self._writer_lock.writer)
        self._pool = FilePool(path, self._connect, self._files.close)

    def acquire_connection(self) -> DriverConnection:
        """Return a connection to read with; release_connection() must follow."""
        connection = self._pool.acquire()
        if self._files is not None:
            try:
                self._files.check_to_read()
            except StoreError:
                self._pool.release(connection)
                if self._files.lost:
                    self._abandon()
                raise
        return connection

    def release_connection(self, connection: DriverConnection) -> None:
        self._pool.release(connection)

    @property
    def enclosing_connection(self) -> DriverConnection | None:
        """The connection of this thread's one_transaction() block, or None outside of one."""
        return self.enclosing.connection

    @contextmanager
    def one_transaction(self) -> Iterator[None]:
        """Commit all transactions of this thread in the block as one durable transaction, or none
        of them.

        A transaction that fails is rolled back alone; leaving the block by an exception rolls back
        all. Other threads and processes see nothing before the commit. Blocks may be nested.
        """
        outer = self.enclosing_connection
        with Transaction(self, durable=True) as transaction:
            self.enclosing.connection = transaction.connection
            try:
                with Interruptible():
                    yield
                run_pending_handlers()
            finally:
                self.enclosing.connection = outer

    def begin(self, *, durable: bool) -> DriverConnection:
        """Return a connection after BEGIN IMMEDIATE; end() must follow. COMMIT syncs the log if
        `durable`.

        A deferred transaction that starts to write fails at once whatever the busy timeout, so
        every write begins as an immediate one. MQError RESOURCE_PROBLEM when another program holds
        the store for longer than `busy_timeout`.
        """
        connection = self._pool.acquire()
        writer_lock = self._writer_lock
        try:
            if connection.syncs is not durable:
                # As a script, so that it is compiled each time: this pragma takes effect when it is
                # compiled, and one from the driver's statement cache would have no effect.
                pragma = f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}"
                self.retry_while_busy(partial(connection.executescript, pragma))
                connection.syncs = durable
            if writer_lock is not None and not writer_lock.acquire(self.busy_timeout):
                raise self._busy_error()
            try:
                if self._files is not None:
                    try:
                        self._files.check(connection)
                    except (self._library.DatabaseError, UnicodeDecodeError):
                        self.retry_while_busy(partial(self._files.check, connection))
                try:
                    connection.execute_reusing_cursor("BEGIN IMMEDIATE")
                except self._library.DatabaseError:
                    # A program that does not take our lock, such as the sqlite3 shell, is writing.
                    self.retry_while_busy(
                        partial(connection.execute_reusing_cursor, "BEGIN IMMEDIATE"),
                    )
                if writer_lock is not None:
                    writer_lock.in_transaction = True
            except BaseException:
                if writer_lock is not None:
                    writer_lock.release()
                raise
        except BaseException:
            # Another thread may have raised an exception here just after BEGIN.
            if connection.in_transaction:
                connection.execute_reusing_cursor("ROLLBACK")
            self._pool.release(connection)
            if self._files is not None and self._files.lost:
                self._abandon()
            raise
        return connection

    def end(self, connection: DriverConnection, error: BaseException | None = None) -> None:
        """COMMIT, or ROLLBACK because of `error`; release the writer lock and the connection.

        If COMMIT fails, for example because the disk is full, roll back and raise StoreError.
        """
        try:
            if error is not None:
                self._roll_back(connection, error)
                return
            try:
                connection.execute_reusing_cursor("COMMIT")
            except BaseException as failure:
                self._retry_commit(connection, failure)
            self._commits_to_check -= 1
            if self._commits_to_check <= 0:
                self._keep_reserve(connection)
        except BaseException:
            # Another thread may have raised an exception here before COMMIT or ROLLBACK.
            if connection.in_transaction:
                connection.execute_reusing_cursor("ROLLBACK")
            raise
        finally:
            try:
                if self._writer_lock is not None:
                    self._writer_lock.release()
            finally:
                self._pool.release(connection)

    def _retry_commit(self, connection: DriverConnection, failure: BaseException) -> None:
        try:
            if not (
                isinstance(failure, self._library.OperationalError)
                and driver_errors.is_busy(failure)
            ):
                raise failure
            self.retry_while_busy(partial(connection.execute_reusing_cursor, "COMMIT"))
        except BaseException as error:
            self._roll_back(connection, error)
            raise

    def with_reserve(self, call: Callable[[], Result]) -> Result:
        """Make a call that removes messages or ends something; if the disk is full, again with
        the reserved space.

        A call of several transactions may need it more than once, because the first of them to
        commit allocates it again.
        """
        for _ in range(ATTEMPTS_WITH_RESERVE):
            try:
                return call()
            except DiskFullError:
                if not self._release_reserve():
                    raise
        return call()

    def _release_reserve(self) -> bool:
        """Return the reserve to the file system, and let the log start again from its beginning
        if that is possible.
        """
        if self._reserve is None or self.enclosing_connection is not None:
            return False
        released = self._reserve.release()
        if not released:
            return False
        # The first commit allocates it again, before others can use up the space.
        self._commits_to_check = 0
        try:
            connection = self._pool.acquire()
        except StoreError:
            return True
        try:
            # Copying the log makes the main file as long as this. If the space is too small, it is
            # better used for the log itself.
            length = connection.execute(
                "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
            )
            growth = int(length.fetchone()[0]) - os.path.getsize(str(self.path))
            if growth <= released - ROOM_FOR_A_CALL:
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        except self._library.OperationalError:
            return True
        finally:
            self._pool.release(connection)
        return True

    def _keep_reserve(self, connection: DriverConnection) -> None:
        """Allocate the reserve again, after the log has been truncated if the space was needed."""
        self._commits_to_check = COMMITS_PER_CHECK
        if self._reserve is None:
            return
        if not self._reserve.size:
            # When a program reads, or there is no room, the reserve gets what is left.
            with suppress(self._library.OperationalError):
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self._reserve.keep()

    def _roll_back(self, connection: DriverConnection, error: BaseException) -> None:
        """ROLLBACK, then raise_failure(error)."""
        if connection.in_transaction:
            connection.execute_reusing_cursor("ROLLBACK")
        self.raise_failure(error)

    def raise_failure(self, error: BaseException | None) -> None:
        """Raise StoreError, or MQError RESOURCE_PROBLEM for a lock, if `error` is a failure of
        the database itself.
        """
        if driver_errors.is_database_failure(error, self._library):
            if driver_errors.is_busy(error):
                raise self._busy_error() from error
            raise driver_errors.store_error_for(error, self.path) from error

    def retry_while_busy(self, attempt: Callable[[], Any]) -> Any:
        """Call `attempt` until the database is not busy; return its result.

        StoreError when the database fails, MQError RESOURCE_PROBLEM after `busy_timeout`. SQLite's
        own busy handler sleeps up to 100 ms between attempts, which starves writers; short random
        pauses are far fairer.
        """
        began = elapsed_real_seconds()
        while True:
            try:
                return attempt()
            except Exception as error:
                if not driver_errors.is_driver_failure(error, self._library):
                    raise
                if not driver_errors.is_busy(error):
                    raise driver_errors.store_error_for(error, self.path) from error
                if elapsed_real_seconds() - began > patience(self.busy_timeout):
                    raise self._busy_error() from error
                pause_a_moment()
                run_handlers_while_held()

    def _busy_error(self) -> MQError:
        return MQError(
            MQRC.RESOURCE_PROBLEM,
            f"{self.path}, held by another program for {self.busy_timeout:g} seconds",
        )

    def data_version(self) -> int:
        """Return a number that changes with every commit that changed data, of any process;
        cheap to call.
        """
        with self._watcher_lock:
            if isinstance(self._pool, MemoryPool):
                return self._pool.total_changes
            if self._watcher is None:
                self._watcher = self._pool.open_apart()
            # With a new cursor: if an interruption (Ctrl-C) kept the shared one from being read to
            # its end, the log could not be truncated until the next call.
            return int(
                self.retry_while_busy(
                    partial(self._watcher.execute, "PRAGMA data_version"),
                ).fetchone()[0],
            )

    def close(self) -> None:
        """Close the connections that are not in use."""
        with self._watcher_lock:
            self._close_watcher()
        self._pool.close()
        if self._writer_lock is not None:
            self._writer_lock.close()

    def _close_watcher(self) -> None:
        if not self._may_close():
            self._abandon()
        elif self._watcher is not None:
            self._watcher.close()
            self._watcher = None

    def _may_close(self) -> bool:
        """Whether SQLite may do what it does when the last connection closes: copy the log and
        delete it, by name.
        """
        try:
            if self._files is not None:
                self._files.check_names()
        except StoreError:
            return False
        return True

    def _abandon(self) -> None:
        """Leave the files as they are: the names of some lead to other files."""
        self._pool.abandon()
        if self._watcher is not None:
            self._watcher.abandon()
            self._watcher = None

    def before_fork(self) -> None:
        """Close all connections: SQLite in a forked child would take its parent's locks for its
        own and lose data.
        """
        # An interruption (Ctrl-C) may come before other stores are prepared: each then undoes only
        # what it has done.
        self._is_forking = self._watcher_lock.acquire()
        self._close_watcher()
        if self._pool.before_fork(FORK_TIMEOUT_SECONDS) and self._writer_lock is not None:
            self._writer_lock.close()

    def after_fork_in_parent(self) -> None:
        if self._is_forking:
            self._is_forking = False
            self._watcher_lock.release()
        self._pool.after_fork_in_parent()

    def after_fork_in_child(self) -> None:
        """Start without connections and locks."""
        self._watcher_lock, self._is_forking = threading.Lock(), False
        self.enclosing = _Enclosing()
        self._pool.after_fork_in_child()
        if self._writer_lock is not None:
            self._writer_lock.forget()

    def _look(self) -> DriverConnection:
        """A connection that leaves the file as it is."""
        try:
            return driver.open_to_look_at(self._library, str(self.path))
        except Exception as error:
            self.raise_failure(error)
            raise

    def _connect(self) -> DriverConnection:
        if self._files is not None:
            self._files.before_connecting()
        connection = None
        try:
            connection = driver.open_connection(self._library, self.path)
            for name, function in self._functions.items():
                connection.add_function(name, function)
            for pragma in driver.PRAGMAS:
                self.retry_while_busy(partial(connection.execute, pragma)).fetchall()
            if self._files is not None:
                self.retry_while_busy(partial(self._files.connected, connection))
        except BaseException as error:
            if connection is not None:
                connection.close()
            self.raise_failure(error)
            raise
        return connection
