"""One SQLite file: how a transaction begins and ends, who waits for whom, and what a failure is called.

What differs between databases is here and in the driver's file, with the reason beside it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import TracebackType
from typing import Any, Self

from store.driver import PRAGMAS, open_connection, sqlite_library
from store.environment import elapsed_real_seconds, pause_a_moment
from store.error import MQError
from store.file_system import create_private, refuse_network_file_system
from store.liveness import folder_beside
from store.pool import FilePool, MemoryPool, Pool
from store.sqlite_fault import fault_of, is_busy, is_of_the_store
from store.statement import Statement
from store.writer_lock import WriterLock

# 60 s: longer than any transaction of ours by three orders of magnitude, shorter than an operator's patience.
BUSY_SECONDS = 60.0
# Other threads' calls take milliseconds; a thread that forks in the middle of its own would wait in vain.
FORK_SECONDS = 5.0
RESOURCE_PROBLEM = 2102
_NONE: Mapping[str, Any] = {}


class Queries:
    """Statements that only read."""

    __slots__ = ("_execute",)
    _execute: Callable[[str, Any], Any]

    def one(self, statement: Statement, parameters: Mapping[str, Any] = _NONE) -> Any:
        """The first row as a tuple, or None."""
        return self._execute(statement.text, statement.parameters(parameters)).fetchone()

    def pragma(self, name: str) -> int:
        """The value of a numeric pragma."""
        return int(self._execute(f"PRAGMA {name}", ()).fetchone()[0])

    def all(self, statement: Statement, parameters: Mapping[str, Any] = _NONE) -> list[Any]:
        """Every row."""
        return self._execute(statement.text, statement.parameters(parameters)).fetchall()  # type: ignore[no-any-return]

    def pages(self, statement: Statement, parameters: Mapping[str, Any], size: int) -> Iterator[list[Any]]:
        """Every row, `size` at a time."""
        found = self._execute(statement.text, statement.parameters(parameters))
        while page := found.fetchmany(size):
            yield page

    def value(self, statement: Statement, parameters: Mapping[str, Any] = _NONE) -> Any:
        """The first column of the first row, or None."""
        row = self.one(statement, parameters)
        return None if row is None else row[0]


class Transaction(Queries):
    """One database transaction: BEGIN IMMEDIATE on entry, COMMIT on leaving, ROLLBACK when left by an exception."""

    __slots__ = ("_connection", "_database", "_durable", "_joined")

    def __init__(self, database: Database, durable: bool) -> None:
        self._database = database
        self._durable = durable

    def __enter__(self) -> Self:
        joined = self._database.joined
        self._joined = joined is not None
        if self._joined:
            joined.execute("SAVEPOINT part")
            self._connection = joined
        else:
            self._connection = self._database.begin(durable=self._durable)
        self._execute = self._connection.execute
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        database, connection = self._database, self._connection
        if self._joined:
            # A disk that is full undoes the whole of it at once: then there is no part left to undo.
            if connection.in_transaction:
                if kind is not None:
                    connection.execute("ROLLBACK TO part")
                connection.execute("RELEASE part")
            return
        try:
            if kind is None:
                database.commit(connection)
            else:
                database.roll_back(connection, error)
        finally:
            database.end(connection)

    @property
    def connection(self) -> Any:
        """The driver's connection that the transaction is on."""
        return self._connection

    def run(self, statement: Statement, parameters: Mapping[str, Any] = _NONE) -> int:
        """Execute; the number of rows changed."""
        return self._execute(statement.text, statement.parameters(parameters)).rowcount  # type: ignore[no-any-return]

    def script(self, texts: Iterable[str]) -> None:
        """Execute statements given as text: the making of the tables."""
        for text in texts:
            self._execute(text, ())

    def run_all(self, statement: Statement, parameters: Iterable[Mapping[str, Any]]) -> None:
        """Execute once for every set of parameters."""
        text = statement.text
        self._connection.executemany(text, [statement.parameters(each) for each in parameters])

    def insert(self, statement: Statement, parameters: Mapping[str, Any]) -> int:
        """Execute an INSERT; the rowid of the new row."""
        return self._execute(statement.text, statement.parameters(parameters)).lastrowid  # type: ignore[no-any-return]


class Reading(Queries):
    """Statements read outside any transaction: each sees one consistent state and holds nothing afterwards.

    With `one_state` all of them see the same state; while it lasts the log cannot be shortened, so be quick.
    """

    __slots__ = ("_connection", "_database", "_joined", "_one_state")

    def __init__(self, database: Database, *, one_state: bool = False) -> None:
        self._database = database
        self._one_state = one_state

    def __enter__(self) -> Self:
        self._joined = self._database.joined
        self._connection = self._joined or self._database.take()
        self._execute = self._patiently
        if self._one_state and self._joined is None:
            self._connection.execute("BEGIN")
        return self

    def __exit__(self, *_: object) -> None:
        if self._joined is None:
            if self._one_state:
                self._connection.execute("COMMIT")
            self._database.give_back(self._connection)

    def _patiently(self, text: str, parameters: Any) -> Any:
        return self._database.patiently(lambda: self._connection.execute(text, parameters))


class Database:
    """One SQLite file as a process sees it: who writes, how a transaction begins and ends, what came of it."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        # How many seconds a call waits for other programs before it fails with 2102.
        self.patience = BUSY_SECONDS
        self._library = sqlite_library()
        # Whether COMMIT syncs the log on a connection: one cache serves both, a pragma switches.
        self._syncs: dict[Any, bool] = {}
        self._together = threading.local()
        self._watch: Any = None
        self._watching = threading.Lock()
        self._writer: WriterLock | None = None
        self._pool: Pool
        if path is None:
            self._pool = MemoryPool(self._connect)
            return
        refuse_network_file_system(path)
        create_private(path)
        self._writer = WriterLock(folder_beside(path))
        self._pool = FilePool(path, self._connect)

    def take(self) -> Any:
        """A connection to read with; to be given back."""
        return self._pool.take()

    def give_back(self, connection: Any) -> None:
        """Keep `connection` for whoever comes next."""
        self._pool.give_back(connection)

    @property
    def joined(self) -> Any:
        """The connection of the transaction that this thread's transactions are parts of, or None."""
        return getattr(self._together, "connection", None)

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

    def begin(self, *, durable: bool) -> Any:
        """A connection inside BEGIN IMMEDIATE; `durable` ones sync the log at COMMIT. To be ended by end().

        A deferred transaction that turns to writing fails at once whatever the busy timeout says, so every write begins
        as one. MQError 2102 when another program does not let the store go in time.
        """
        connection = self._pool.take()
        writer = self._writer
        try:
            if self._syncs.get(connection) is not durable:
                # A script is compiled anew each time: the pragma takes effect when it is compiled, not when it is run.
                connection.executescript(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
                self._syncs[connection] = durable
            if writer is not None and not writer.take(self.patience):
                raise self._held_too_long()
            try:
                self._begin_immediate(connection)
            except BaseException:
                if writer is not None:
                    writer.release()
                raise
        except BaseException:
            self._pool.give_back(connection)
            raise
        return connection

    def _begin_immediate(self, connection: Any) -> None:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except self._library.OperationalError as error:
            if not is_busy(error):
                raise fault_of(error, self.path) from error
            # Somebody writes who knows nothing of our lock.
            self.patiently(lambda: connection.execute("BEGIN IMMEDIATE"))

    def end(self, connection: Any) -> None:
        """The transaction is over: others may write."""
        if self._writer is not None:
            self._writer.release()
        self._pool.give_back(connection)

    def commit(self, connection: Any) -> None:
        """COMMIT; a disk that is full or a file that became read-only rolls back and raises StoreFault."""
        try:
            connection.execute("COMMIT")
        except self._library.DatabaseError as error:
            if is_busy(error):
                self.patiently(lambda: connection.execute("COMMIT"))
                return
            self.roll_back(connection, error)

    def roll_back(self, connection: Any, error: BaseException | None) -> None:
        """ROLLBACK; when the database itself failed, StoreFault says why in words for the user."""
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if is_of_the_store(error, self._library):
            raise fault_of(error, self.path) from error

    def patiently(self, attempt: Callable[[], Any]) -> Any:
        """Call `attempt` until the database is not busy; what it returns. StoreFault when it failed, MQError 2102.

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
            return int(self._watch.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        """Close the connections that nobody uses."""
        self._pool.close()
        self._syncs.clear()
        self._stop_watching()
        if self._writer is not None:
            self._writer.close()

    def _stop_watching(self) -> None:
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def before_fork(self) -> None:
        """Close everything: SQLite in a forked child would take its parent's locks for its own, and lose data."""
        self._watching.acquire()
        self._stop_watching()
        if isinstance(self._pool, FilePool) and self._pool.before_fork(FORK_SECONDS) and self._writer is not None:
            self._writer.close()

    def after_fork_in_parent(self) -> None:
        """Go on."""
        self._watching.release()
        if isinstance(self._pool, FilePool):
            self._pool.after_fork_in_parent()

    def after_fork_in_child(self) -> None:
        """Begin anew: no connection, no lock."""
        self._watching = threading.Lock()
        self._syncs = {}
        if isinstance(self._pool, FilePool):
            self._pool.after_fork_in_child()
        if self._writer is not None:
            self._writer.forget()

    def _connect(self) -> Any:
        try:
            connection = open_connection(self._library, self.path)
            for pragma in PRAGMAS:
                self.patiently(partial(connection.execute, pragma)).fetchall()
        except self._library.DatabaseError as error:
            raise fault_of(error, self.path) from error
        return connection
