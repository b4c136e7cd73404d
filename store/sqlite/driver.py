"""The driver of SQLite and how its connections are opened."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

# 3.51.3 fixes a WAL checkpoint that corrupts the database when it coincides with a write.
SAFE_SQLITE = (3, 51, 3)
# The log is truncated to this size when it starts again from its beginning, so that a long read by
# another program does not leave it large forever. It is twice the size that checkpoints keep it
# at.
LOG_SIZE_LIMIT = 16 << 20
PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    f"PRAGMA journal_size_limit = {LOG_SIZE_LIMIT}",
    # A checkpoint syncs the disk twice, which takes as long as many calls. At twice SQLite's
    # default interval calls were a third faster; at four times, the process that ran the checkpoint
    # waited too long for 8 MB to be written.
    "PRAGMA wal_autocheckpoint = 2000",
    # Without it a sync on macOS leaves the data in the drive's own cache. It has no effect on other
    # systems.
    "PRAGMA fullfsync = ON",
    "PRAGMA cache_size = -16000",
    "PRAGMA temp_store = MEMORY",
)


def sqlite_library() -> ModuleType:
    """Return the driver to use: pysqlite3 if it is installed, else Python's own sqlite3."""
    try:
        library = import_module("pysqlite3.dbapi2")
    except ImportError:
        library = sqlite3
    # The driver looks for an adapter of each value that is no int, float, str or bytearray. To find
    # none takes two microseconds; these are called fast, and return None and the same bytes.
    # Adapters belong to the whole program: no other is registered, and statements are given no bool
    # and no list, for which it may have its own.
    library.register_adapter(type(None), {}.get)
    library.register_adapter(bytes, bytes)
    return library


def library_warning() -> str:
    """Return a warning for the user when the SQLite in use can corrupt a store under load, else
    an empty string.
    """
    library = sqlite_library()
    if library.sqlite_version_info >= SAFE_SQLITE:
        return ""
    return (
        f"SQLite {library.sqlite_version} can damage a store when several processes write to it; "
        "install pysqlite3 (or a Python with SQLite 3.51.3 or newer)"
    )


class DriverConnection:
    """A connection of the driver, with one cursor that the statements of transactions share.

    `execute` creates a cursor, which takes as long as a small statement. `execute_reusing_cursor`
    does not, but the next statement or COMMIT discards rows that have not been fetched.
    """

    __slots__ = (
        "_raw",
        "execute",
        "execute_reusing_cursor",
        "executemany",
        "executescript",
        "syncs",
    )

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self.execute = raw.execute
        self.executescript = raw.executescript
        cursor = raw.cursor()
        self.execute_reusing_cursor = cursor.execute
        self.executemany = cursor.executemany
        # Whether COMMIT syncs the log; None until that is set.
        self.syncs: bool | None = None

    @property
    def in_transaction(self) -> bool:
        return bool(self._raw.in_transaction)

    @property
    def total_changes(self) -> int:
        """The number of rows changed since the connection was opened."""
        return int(self._raw.total_changes)

    def copy_into(self, target: DriverConnection, pages_per_step: int) -> None:
        """Copy the whole database into that of `target` with SQLite's backup API; Ctrl-C can end
        it between steps.
        """
        self._raw.backup(target._raw, pages=pages_per_step, progress=lambda *_: None)

    def add_function(self, name: str, function: Callable[..., Any]) -> None:
        """Give statements a function of this name."""
        self._raw.create_function(name, -1, function, deterministic=True)

    def close(self) -> None:
        """Close the connection, which rolls back an open transaction."""
        self._raw.close()

    def abandon(self) -> None:
        """Keep the connection open until the process ends, even when Python would collect it.

        The last connection to close copies the log into the file, and deletes whatever file has the
        name of the log.
        """
        from ctypes import py_object, pythonapi  # takes longer to import than a call

        pythonapi.Py_IncRef(py_object(self._raw))


def open_connection(library: ModuleType, path: str | None) -> DriverConnection:
    """Open a connection that never begins a transaction by itself and never waits; PRAGMAS must
    still be executed.
    """
    file = ":memory:" if path is None else path
    raw = library.connect(
        file,
        isolation_level=None,
        check_same_thread=False,
        timeout=0,
        cached_statements=400,
    )
    return DriverConnection(raw)


def open_to_look_at(library: ModuleType, path: str) -> DriverConnection:
    """Open a connection that reads the file alone: no log, no locks."""
    uri = f"{Path(path).absolute().as_uri()}?immutable=1"
    return DriverConnection(
        library.connect(uri, uri=True, isolation_level=None, check_same_thread=False),
    )


def open_read_only(library: ModuleType, path: str) -> DriverConnection:
    """Open a connection that SQLite lets read the file and its log, and nothing else."""
    uri = f"{Path(path).absolute().as_uri()}?mode=ro"
    return DriverConnection(library.connect(uri, uri=True, isolation_level=None, timeout=0))
