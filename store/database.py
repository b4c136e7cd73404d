"""One SQLite file: which library reads it, how its connections are set, how a transaction begins and ends.

What differs between databases is here and nowhere else, with the reason beside it.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType, TracebackType
from typing import Any, Self

from store.environment import elapsed_real_seconds, pause_a_moment
from store.error import MQError
from store.file_system import create_private, refuse_network_file_system
from store.sqlite_fault import fault_of, is_busy
from store.statement import Statement

# 3.51.3 mends a WAL checkpoint that coincides with a write and then corrupts the database.
SAFE_SQLITE = (3, 51, 3)
# 60 s: longer than any transaction of ours by three orders of magnitude, shorter than an operator's patience.
BUSY_SECONDS = 60.0
RESOURCE_PROBLEM = 2102
Row = tuple[Any, ...]
_NONE: Mapping[str, Any] = {}
PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA cache_size = -16000",
    "PRAGMA temp_store = MEMORY",
)


def sqlite_library() -> ModuleType:
    """The SQLite driver to use: the packaged one where it is installed, else the one that Python brings."""
    try:
        from pysqlite3 import dbapi2
    except ImportError:
        return sqlite3
    return dbapi2  # type: ignore[no-any-return]


def library_warning() -> str:
    """A sentence for the user when the SQLite in use can corrupt a store under load, else an empty string."""
    library = sqlite_library()
    if library.sqlite_version_info >= SAFE_SQLITE:
        return ""
    return (
        f"SQLite {library.sqlite_version} can damage a store that several processes write; "
        "install pysqlite3 (or a Python with SQLite 3.51.3 or newer)"
    )


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

    __slots__ = ("_connection", "_database", "_durable", "_joined", "needs_sync")

    def __init__(self, database: Database, durable: bool) -> None:
        self._database = database
        self._durable = durable
        # Set by a call that learns inside the transaction that what it did must be on disk when it returns.
        self.needs_sync = False

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
            database.give_back(connection)
        if kind is None and self.needs_sync and not self._durable:
            database.sync()

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
    """The connections to one SQLite file, kept between transactions; one per process and file."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self._library = sqlite_library()
        self._idle: list[Any] = []
        # Whether COMMIT syncs the log on a connection: one cache serves both, a pragma switches.
        self._syncs: dict[Any, bool] = {}
        self._memory: Any = None
        self._together = threading.local()
        # Kept from being collected, which would close them.
        self._inherited: list[Any] = []
        self._watch: Any = None
        self._watching = threading.Lock()
        self._memory_lock = threading.RLock() if path is None else None
        if path is not None:
            refuse_network_file_system(path)
            create_private(path)

    @property
    def errors(self) -> ModuleType:
        """The driver, for its exception classes."""
        return self._library

    def take(self) -> Any:
        """An idle connection, or a new one; to be given back."""
        if self._memory_lock is not None:
            self._memory_lock.acquire()
            self._memory = self._memory or self._connect()
            return self._memory
        try:
            return self._idle.pop()
        except IndexError:
            return self._connect()

    def give_back(self, connection: Any) -> None:
        """Keep `connection` for the next transaction."""
        if self._memory_lock is not None:
            self._memory_lock.release()
        else:
            self._idle.append(connection)

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
        """A connection inside BEGIN IMMEDIATE; `durable` ones sync the log at COMMIT.

        A deferred transaction that turns to writing fails at once whatever the busy timeout says, so every write begins
        as one. Raises MQError 2102 when the store stays busy for a minute.
        """
        connection = self.take()
        try:
            if self._syncs.get(connection) is not durable:
                # A script is compiled anew each time: the pragma takes effect when it is compiled, not when it is run.
                connection.executescript(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
                self._syncs[connection] = durable
            try:
                connection.execute("BEGIN IMMEDIATE")
            except self._library.OperationalError as error:
                if not is_busy(error):
                    raise fault_of(error, self.path) from error
                self.patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
        except BaseException:
            self.give_back(connection)
            raise
        return connection

    def commit(self, connection: Any) -> None:
        """COMMIT; a disk that is full or a file that became read-only rolls back and raises StoreFault."""
        try:
            connection.execute("COMMIT")
        except self._library.OperationalError as error:
            if is_busy(error):
                self.patiently(lambda: connection.execute("COMMIT"))
                return
            self.roll_back(connection, error)

    def roll_back(self, connection: Any, error: BaseException | None) -> None:
        """ROLLBACK; when the database itself failed, StoreFault says why in words for the user."""
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if isinstance(error, self._library.OperationalError):
            raise fault_of(error, self.path) from error

    def patiently(self, attempt: Any) -> Any:
        """Call `attempt` until the database is not busy.

        SQLite's own handler sleeps up to 100 ms between attempts, which starves writers; short random pauses measured
        far fairer.
        """
        deadline = elapsed_real_seconds() + BUSY_SECONDS
        while True:
            try:
                return attempt()
            except self._library.OperationalError as error:
                if not is_busy(error):
                    raise fault_of(error, self.path) from error
                if elapsed_real_seconds() > deadline:
                    raise MQError(RESOURCE_PROBLEM, self.path or "") from error
                pause_a_moment()

    def version(self) -> int:
        """A number that changes with every commit that changed something, of any process; cheap to look at."""
        with self._watching:
            if self.path is None:
                return 0 if self._memory is None else int(self._memory.total_changes)
            if self._watch is None:
                self._watch = self._connect()
            return int(self._watch.execute("PRAGMA data_version").fetchone()[0])

    def sync(self) -> None:
        """Put on disk whatever was committed until now: a commit that syncs the log takes all earlier ones with it."""
        with Transaction(self, durable=True) as transaction:
            transaction.script(("UPDATE store_sync SET number = number + 1",))

    def close(self) -> None:
        """Close the idle connections."""
        while self._idle:
            self._idle.pop().close()
        self._syncs.clear()
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def forget(self) -> None:
        """Drop the connections that a forked child inherited: SQLite forbids using or closing them there."""
        self._inherited.append((self._idle, self._watch))
        self._idle, self._watch, self._syncs = [], None, {}
        self._watching = threading.Lock()

    def _connect(self) -> Any:
        try:
            connection = self._library.connect(
                self.path if self.path is not None else ":memory:",
                isolation_level=None,
                check_same_thread=False,
                timeout=0,
                cached_statements=400,
            )
            for pragma in PRAGMAS:
                self.patiently(lambda text=pragma: connection.execute(text).fetchall())
        except self._library.DatabaseError as error:
            raise fault_of(error, self.path) from error
        return connection
