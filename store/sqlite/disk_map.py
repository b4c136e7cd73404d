"""A dictionary on disk, for notes about a history that would take too much memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from tempfile import gettempdir
from typing import Generic, TypeVar

import msgspec

from mqsc.store.sqlite.driver import DriverConnection, open_connection, sqlite_library
from mqsc.store.sqlite.driver_errors import is_driver_failure, store_error_for

Value = TypeVar("Value")
# Numbers, texts, bytes and None.
Key = tuple[int | str | bytes | None, ...]

# SQLite removes the file when the connection ends; while it is small there is none.
_TEMPORARY_FILE = ""
_NAME = f"a temporary file in {gettempdir()}"
_SETTINGS = """PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -2000;
CREATE TABLE entry (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
BEGIN"""
_GET = "SELECT value FROM entry WHERE key = ?"
_SET = "INSERT OR REPLACE INTO entry (key, value) VALUES (?, ?)"
_REMOVE = "DELETE FROM entry WHERE key = ?"
_ALL = "SELECT key, value FROM entry ORDER BY key"


class DiskMap(Generic[Value]):
    """Values of one type by keys, in a temporary file once there are many; StoreError if that
    cannot be written.
    """

    def __init__(self, type: type[Value]) -> None:
        self._library = sqlite_library()
        self._values = msgspec.msgpack.Decoder(type)
        # Most maps stay empty.
        self._connection: DriverConnection | None = None

    def __setitem__(self, key: Key, value: Value) -> None:
        if self._connection is None:
            self._connection = open_connection(self._library, _TEMPORARY_FILE)
            self._connection.executescript(_SETTINGS)
        self._execute(_SET, _encoded(key), _encoded(value))

    def __contains__(self, key: Key) -> bool:
        return self.get(key) is not None

    def get(self, key: Key) -> Value | None:
        """The value, or None."""
        if self._connection is None:
            return None
        found = self._execute(_GET, _encoded(key))
        return self._values.decode(found[0][0]) if found else None

    def pop(self, key: Key) -> Value | None:
        """Remove the value and return it, or None."""
        value = self.get(key)
        if value is not None:
            self._execute(_REMOVE, _encoded(key))
        return value

    def items(self) -> Iterator[tuple[list[int | str | bytes | None], Value]]:
        """The keys, as lists, and the values; those of one number are in its order. The map must
        not change meanwhile.
        """
        if self._connection is None:
            return
        for key, value in self._connection.execute(_ALL):
            yield msgspec.msgpack.decode(key), self._values.decode(value)

    def remove_where(self, is_unwanted: Callable[[Value], bool]) -> None:
        """Remove the values for which that holds."""
        if self._connection is not None:
            unwanted = [
                key
                for key, value in self._connection.execute(_ALL)
                if is_unwanted(self._values.decode(value))
            ]
            for key in unwanted:
                self._execute(_REMOVE, key)

    def close(self) -> None:
        """Remove the file. The map is empty afterwards."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _execute(self, statement: str, *values: bytes) -> list[tuple[bytes, ...]]:
        assert self._connection is not None
        try:
            return list(self._connection.execute(statement, values))
        except Exception as error:
            if is_driver_failure(error, self._library):
                raise store_error_for(error, _NAME) from error
            raise


_encoded = msgspec.msgpack.Encoder().encode
