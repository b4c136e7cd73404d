"""Statements that only read, and what they find."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from mqsc.store.sqlite.driver import DriverConnection

_NO_PARAMETERS: Mapping[str, Any] = {}


class Cursor(Protocol):
    """What a statement has found or changed."""

    rowcount: int
    lastrowid: int

    def fetchone(self) -> Any:
        """Return the next row as a tuple, or None."""

    def fetchmany(self, size: int) -> list[Any]:
        """Return up to `size` of the next rows."""

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""


class Queries:
    """Executes statements that only read."""

    __slots__ = ("_connection", "execute")
    _connection: DriverConnection
    # Executes the text of a statement, with its values in order, and returns a cursor. In a
    # transaction the next statement uses the same cursor.
    execute: Callable[[str, Any], Cursor]

    @property
    def connection(self) -> DriverConnection:
        return self._connection

    def first_row(self, text: str, parameters: Mapping[str, Any] = _NO_PARAMETERS) -> Any:
        """Return the first row as a tuple, or None."""
        return self.execute(text, parameters).fetchone()

    def all(self, text: str, parameters: Mapping[str, Any] = _NO_PARAMETERS) -> list[Any]:
        """Return every row."""
        return self.execute(text, parameters).fetchall()

    def value(self, text: str, parameters: Mapping[str, Any] = _NO_PARAMETERS) -> Any:
        """Return the first column of the first row, or None."""
        row = self.first_row(text, parameters)
        return None if row is None else row[0]

    def pragma(self, name: str) -> int:
        """Return the value of a numeric pragma."""
        return int(self.execute(f"PRAGMA {name}", ()).fetchone()[0])
