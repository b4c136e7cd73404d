"""Which SQLite reads a store, and how a connection to it is set."""

from __future__ import annotations

import sqlite3
from types import ModuleType
from typing import Any

# 3.51.3 mends a WAL checkpoint that coincides with a write and then corrupts the database.
SAFE_SQLITE = (3, 51, 3)
# Tidying the log syncs the disk twice, which takes as long as many calls: twice as rarely as SQLite does it by itself
# made calls a third faster; four times as rarely, whoever tidied waited too long for more than 8 MB to reach the disk.
PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA wal_autocheckpoint = 2000",
    # On macOS a sync leaves the data in the drive's own memory, else; elsewhere it means nothing.
    "PRAGMA fullfsync = ON",
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


class DriverConnection:
    """A connection of the driver, with one cursor for the statements of transactions.

    A cursor for each statement, as `execute` makes it, takes as long as a small statement does. The one is for results
    that are fetched before the next statement: that, like COMMIT, ends them.
    """

    __slots__ = ("_raw", "execute", "execute_in_turn", "executemany", "executescript", "syncs")

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self.execute = raw.execute
        self.executescript = raw.executescript
        cursor = raw.cursor()
        self.execute_in_turn = cursor.execute
        self.executemany = cursor.executemany
        # Whether COMMIT syncs the log, as far as it was ever set.
        self.syncs: bool | None = None

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return bool(self._raw.in_transaction)

    @property
    def total_changes(self) -> int:
        """How many rows were changed through it."""
        return int(self._raw.total_changes)

    def close(self) -> None:
        """Close it, which ends whatever is under way."""
        self._raw.close()


def open_connection(library: ModuleType, path: str | None) -> DriverConnection:
    """A connection that begins no transactions of its own and never waits; PRAGMAS are still to be set."""
    raw = library.connect(
        path if path is not None else ":memory:",
        isolation_level=None,
        check_same_thread=False,
        timeout=0,
        cached_statements=400,
    )
    return DriverConnection(raw)
