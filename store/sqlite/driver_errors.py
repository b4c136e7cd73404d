"""The errors of SQLite in words."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from types import ModuleType
from typing import TypeGuard

from mqsc.store.error import (
    DamagedStoreError,
    DiskFullError,
    NotADatabaseError,
    StoreError,
    UnreadableStoreError,
)

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


def unwritable_error(path: str) -> StoreError:
    """Return the StoreError for a file that this user may not write."""
    obstacle = _obstacle(path, "it is protected")
    if not os.access(path, os.R_OK):
        return StoreError(f"{path} cannot be opened: {obstacle}")
    return StoreError(
        f"{path} cannot be written: {obstacle}; commands that only read can use it",
    )


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
    if closed is None:
        return text
    return f"you may not read and write {'its folder' if closed == folder else closed}"


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
