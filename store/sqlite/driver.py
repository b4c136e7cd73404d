"""The driver of SQLite and how its connections are opened, a first look into a file with the driver
alone, and SQLite's errors in words.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeGuard

from mqsc.store.error import (
    DamagedStoreError,
    DiskFullError,
    NotADatabaseError,
    StoreError,
    UnreadableStoreError,
)

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
    return DriverConnection(
        library.connect(f"{Path(path).as_uri()}?immutable=1", uri=True, isolation_level=None),
    )


# A first look into a store's file with the driver alone, before the code of the queue manager is
# loaded.

_DEFAULT = "SELECT name FROM queue_manager WHERE is_default = 1"
_BY_NAME = "SELECT name FROM queue_manager WHERE name = ?"


def name_of_queue_manager(path: str, name: str | None) -> str | None:
    """The name of the queue manager in an existing file, or of the default one.

    None if there is none, or if the file cannot be read at once; opening the store then says why.
    """
    library = sqlite_library()
    try:
        connection = open_connection(library, path)
    except library.Error:
        return None
    try:
        row = connection.execute(*((_DEFAULT,) if name is None else (_BY_NAME, (name,)))).fetchone()
    except library.Error:
        return None
    finally:
        connection.close()
    return None if row is None else str(row[0])


# SQLite says so too when the system cannot read a page.
_MALFORMED = "malformed"
# An object that our statements name is missing if the schema was altered.
_SIGNS_OF_DAMAGE = ("UTF-8", "no such", "has no column", "unsupported file format")
_ROOM_FOR_SHARED_MEMORY = 64 << 10


def store_error_for(error: Exception, path: str | None) -> StoreError:
    """Return the StoreError for an error of the driver on the store at `path` (None for a store
    in memory).
    """
    text = str(error)
    where = path or "the store in memory"
    # First, because it may quote a name from the schema, which may contain any of the other words.
    if isinstance(error, UnicodeDecodeError):
        text = "text that is not UTF-8"
    if _MALFORMED in text:
        return UnreadableStoreError(
            f"{where} is damaged, or the disk failed when it was read; `mqsc doctor` checks it "
            f"({text})",
        )
    if any(sign in text for sign in _SIGNS_OF_DAMAGE):
        return DamagedStoreError(f"{where} is damaged; restore it from a copy ({text})")
    if "not a database" in text or "file is encrypted" in text:
        return NotADatabaseError(f"{where} is not a store: the file is not an SQLite database")
    if "readonly" in text or "read-only" in text:
        return StoreError(f"{where} cannot be written: {_obstacle(where, text)}")
    if "full" in text or (("I/O" in text or "unable to open" in text) and _disk_is_full(path)):
        return DiskFullError(
            f"{where} cannot grow: the disk is full; nothing of this call was kept",
        )
    if path is not None and Path(path).exists() and not Path(path).is_file():
        return StoreError(
            f"{where} is a {'folder' if Path(path).is_dir() else 'device or pipe'}, not a file",
        )
    if "unable to open" in text:
        return StoreError(f"{where} cannot be opened: {_obstacle(where, text)}")
    if "I/O" in text:
        return StoreError(
            f"{where} cannot be read or written: the disk failed, or a file has reached its "
            "largest size, or its "
            "log was removed or cut short while programs were using it",
        )
    return StoreError(f"{where}: {text}")


def is_disk_failure(error: Exception) -> bool:
    """Whether the driver's error may come from a disk that cannot be read or written."""
    return "I/O" in str(error) or _MALFORMED in str(error)


def _obstacle(path: str, text: str) -> str:
    """What keeps SQLite from a file, since it does not say so itself; it writes beside a store
    even to read it.
    """
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        return f"there is no folder {folder}"
    there = [each for each in (path, f"{path}-wal", f"{path}-shm", folder) if os.path.exists(each)]
    if os.statvfs(there[0]).f_flag & os.ST_RDONLY:
        return "the file system is read-only"
    closed = next((each for each in there if not os.access(each, os.R_OK | os.W_OK)), None)
    return (
        text
        if closed is None
        else f"you may not read and write {'its folder' if closed == folder else closed}"
    )


def _disk_is_full(path: str | None) -> bool:
    """Whether the disk is full: SQLite does not say so when it fails to create its shared memory
    file.
    """
    try:
        return (
            path is not None and shutil.disk_usage(Path(path).parent).free < _ROOM_FOR_SHARED_MEMORY
        )
    except OSError:
        return False


def is_database_failure(error: BaseException | None, library: ModuleType) -> TypeGuard[Exception]:
    """Return whether the file, the disk or a lock caused the driver's error, not a mistake in a
    statement.
    """
    return isinstance(error, library.OperationalError) or type(error) is library.DatabaseError


def is_driver_failure(error: BaseException | None, library: ModuleType) -> TypeGuard[Exception]:
    """Return the same for an exception that the driver has just raised, not a program in the middle
    of a transaction.

    The driver cannot decode a message of SQLite that quotes the damaged text of a schema.
    """
    return isinstance(error, UnicodeDecodeError) or is_database_failure(error, library)


def is_busy(error: Exception) -> bool:
    """Return whether another connection holds a lock ("locking protocol" means that it did so
    for ten seconds).
    """
    # Not any text with "locked" in it: a message may quote a name, such as that of a missing
    # column.
    return str(error).startswith(
        (
            "database is locked",
            "database table is locked",
            "database schema is locked",
            "locking protocol",
        ),
    )
