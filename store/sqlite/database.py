"""Transactions on a store, and reading outside of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from store.sqlite.driver import DriverConnection
from store.sqlite.statement import Row, RowInsert, Statement

if TYPE_CHECKING:
    from store.sqlite.database_file import Database

# A statement with question marks, and its values.
Bound = tuple[str, list[Any]]
_NONE: Mapping[str, Any] = {}


class Queries:
    """Statements that only read."""

    __slots__ = ("_connection", "_execute")
    _connection: DriverConnection
    _execute: Callable[[str, Any], Any]

    def one(self, statement: Statement, parameters: Mapping[str, Any] = _NONE) -> Any:
        """The first row as a tuple, or None."""
        return self._execute(statement.text, statement.parameters(parameters)).fetchone()

    def row(self, statement: Statement, *values: Any) -> Any:
        """The first row as a tuple, or None; of a statement that says the order of its values."""
        return self._execute(statement.text, values).fetchone()

    def pragma(self, name: str) -> int:
        """The value of a numeric pragma."""
        return int(self._execute(f"PRAGMA {name}", ()).fetchone()[0])

    def all(self, statement: Statement, parameters: Mapping[str, Any] = _NONE) -> list[Any]:
        """Every row."""
        return self._execute(statement.text, statement.parameters(parameters)).fetchall()  # type: ignore[no-any-return]

    def value(self, statement: Statement, parameters: Mapping[str, Any] = _NONE) -> Any:
        """The first column of the first row, or None."""
        row = self.one(statement, parameters)
        return None if row is None else row[0]


class Transaction(Queries):
    """One database transaction: BEGIN IMMEDIATE on entry, COMMIT on leaving, ROLLBACK when left by an exception."""

    __slots__ = ("_database", "_durable", "_joined")

    def __init__(self, database: Database, durable: bool) -> None:
        self._database = database
        self._durable = durable

    def __enter__(self) -> Self:
        joined = self._database.joined
        self._joined = joined is not None
        if joined is not None:
            joined.execute_in_turn("SAVEPOINT part")
            self._connection = joined
        else:
            self._connection = self._database.begin(durable=self._durable)
        self._execute = self._connection.execute_in_turn
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        database, connection = self._database, self._connection
        if self._joined:
            # A disk that is full undoes the whole of it at once: then there is no part left to undo.
            if connection.in_transaction:
                if kind is not None:
                    connection.execute_in_turn("ROLLBACK TO part")
                connection.execute_in_turn("RELEASE part")
            return
        try:
            if kind is None:
                database.commit(connection)
            else:
                database.roll_back(connection, error)
        except BaseException:
            # An interruption may come before it has begun.
            if connection.in_transaction:
                connection.execute_in_turn("ROLLBACK")
            raise
        finally:
            database.end(connection)

    @property
    def connection(self) -> DriverConnection:
        """The driver's connection that the transaction is on."""
        return self._connection

    def run(self, statement: Statement, parameters: Mapping[str, Any] = _NONE) -> int:
        """Execute; the number of rows changed."""
        return self._execute(statement.text, statement.parameters(parameters)).rowcount  # type: ignore[no-any-return]

    def do(self, statement: Statement, *values: Any) -> None:
        """Execute a statement that says the order of its values."""
        self._execute(statement.text, values)

    def insert_rows(self, statement: RowInsert, rows: Sequence[Row]) -> None:
        """Insert rows in their order."""
        if len(rows) == 1:
            self._execute(*statement.of(rows[0]))
            return
        for text, values in statement.of_all(rows):
            self._connection.executemany(text, values)

    def insert_bound(self, rows: Sequence[Bound]) -> int:
        """Insert rows given as statement and values, in their order; the rowid of the last."""
        if len(rows) == 1:
            return self._execute(*rows[0]).lastrowid  # type: ignore[no-any-return]
        for text, alike in groupby(rows, itemgetter(0)):
            self._connection.executemany(text, [values for _, values in alike])
        return int(self._execute("SELECT last_insert_rowid()", ()).fetchone()[0])

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

    __slots__ = ("_database", "_joined", "_one_state", "_paged")

    def __init__(self, database: Database, *, one_state: bool = False) -> None:
        self._database = database
        self._one_state = one_state

    def __enter__(self) -> Self:
        self._paged: list[Any] = []
        self._joined = self._database.joined
        self._connection = self._joined or self._database.take()
        self._execute = self._patiently
        if self._one_state and self._joined is None:
            self._connection.execute("BEGIN")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Pages that an exception keeps would keep the connection in the state that they are of.
        for found in self._paged:
            found.close()
        if self._joined is None:
            if self._one_state and self._connection.in_transaction:
                self._connection.execute("COMMIT")
            self._database.give_back(self._connection)
            # Rows are read one by one: a page that cannot be read may come late.
            self._database.explain(error)

    def pages(self, statement: Statement, parameters: Mapping[str, Any], size: int) -> Iterator[list[Any]]:
        """Every row, `size` at a time; other statements may come in between."""
        found = self._execute(statement.text, statement.parameters(parameters))
        self._paged.append(found)
        while page := found.fetchmany(size):
            yield page

    def _patiently(self, text: str, parameters: Any) -> Any:
        return self._database.patiently(lambda: self._connection.execute(text, parameters))
