"""Copies of a store or of relations while it is used, and the space that it takes: its log and
its free pages.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from mqsc.store.environment import elapsed_real_seconds, pause_a_moment
from mqsc.store.error import DamagedStoreError, StoreError
from mqsc.store.published import Relation
from mqsc.store.sqlite import driver, locks
from mqsc.store.sqlite.database import Database, Reading, Transaction
from mqsc.store.sqlite.driver import (
    DriverConnection,
    is_database_failure,
    sqlite_library,
    store_error_for,
)
from mqsc.store.sqlite.files import OWNER_ONLY, copy_owner_and_mode, is_at, is_missing
from mqsc.store.sqlite.locks import LockFile, WriterLock, folder_beside
from mqsc.store.sqlite.open_files import LOG, SHARED_MEMORY
from mqsc.store.sqlite.owners import owner_of

# A step of 4 MB takes some milliseconds; Ctrl-C can end the copying between two steps.
PAGES_PER_STEP = 1000
# Calls of other programs take milliseconds; a program that still uses the file after this long is
# not about to end.
PATIENCE_SECONDS = 2.0
# How the name of a copy ends that is still being written.
PARTIAL = ".mqsc-partial"


def copy_store(database: Database, target: Path, final: Path, *, durable: bool = True) -> None:
    """Copy a store into the empty file `target`, in the state after one commit, while other
    programs write.

    The copy is one file without a log, on disk, which will be renamed to `final`. If it is not
    `durable`, nobody waits for the disk, and it gets a log when it is used. StoreError when it
    cannot be written.
    """
    with Reading(database, one_state=True) as reading:
        # The first read decides which state the copy shows.
        reading.pragma("user_version")
        _copy(reading.connection, database.path, target, final, durable=durable)


def copy_file(source: Path, target: Path, final: Path) -> None:
    """Copy the database in the file `source`, with its log if it has one, into the empty file
    `target`.
    """
    with opened(source, source) as connection:
        # A failure to read is one of the source; the copying does not say on which side it failed.
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        _copy(connection, source, target, final)


def _copy(
    connection: DriverConnection,
    source: str | Path | None,
    target: Path,
    final: Path,
    *,
    durable: bool = True,
) -> None:
    with opened(target, final) as copy:
        # It is removed if the copying fails, and synced below.
        for setting in ("journal_mode", "synchronous"):
            copy.execute(f"PRAGMA {setting} = OFF").fetchall()
        with _naming_both(source, final):
            connection.copy_into(copy, PAGES_PER_STEP)
        if durable:
            # Then it needs no file beside it, and can be read from a medium that cannot be written.
            copy.execute("PRAGMA journal_mode = DELETE").fetchall()
    if durable:
        with target.open("rb") as written:
            os.fsync(written.fileno())


@contextmanager
def _naming_both(source: str | Path | None, final: Path) -> Iterator[None]:
    """Raise StoreError that names both files for a disk that fails: SQLite does not say which."""
    library = driver.sqlite_library()
    try:
        yield
    except Exception as error:
        if driver.is_driver_failure(error, library) and driver.is_disk_failure(error):
            raise StoreError(
                f"{source} cannot be copied to {final}: one of them cannot be read or written, as "
                f"on a disk that fails ({error})",
            ) from error
        raise


@contextmanager
def opened(path: Path, named: Path) -> Iterator[DriverConnection]:
    """A connection to a file, for one use; StoreError for a failure of the file, which it calls
    `named`.
    """
    library = driver.sqlite_library()
    connection = None
    try:
        connection = driver.open_connection(library, str(path))
        yield connection
    except Exception as error:
        if driver.is_driver_failure(error, library):
            raise driver.store_error_for(error, str(named)) from error
        raise
    finally:
        if connection is not None:
            connection.close()


@contextmanager
def partial_file(final: Path, like: Path | None) -> Iterator[Path]:
    """A new, empty file beside `final`, with mode 0600 or the owner and mode of `like`; removed
    unless renamed.

    Those that killed programs have left in the folder are removed. StoreError while another program
    has it.
    """
    partial = partial_of(final)
    for left in partial.parent.glob(f".*{PARTIAL}"):
        with suppress(OSError):
            remove_abandoned(left)
    try:
        descriptor = _locked_new_file(partial, like)
    except BlockingIOError:
        raise StoreError(f"another program is writing {final}") from None
    except OSError as error:
        raise StoreError(f"{partial} cannot be created: {error.strerror}") from error
    try:
        yield partial
    finally:
        try:
            _remove(partial)
        finally:
            os.close(descriptor)


def partial_of(final: Path) -> Path:
    """The name of a copy that is being written, until it is renamed to `final`."""
    return final.with_name(f".{final.name}{PARTIAL}")


def _remove(partial: Path) -> None:
    for suffix in ("-journal", LOG, SHARED_MEMORY, ""):
        Path(f"{partial}{suffix}").unlink(missing_ok=True)


def _locked_new_file(path: Path, like: Path | None) -> int:
    """Create the file and lock it, after removing one that a killed program has left."""
    while True:
        try:
            descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNER_ONLY)
        except FileExistsError:
            if not remove_abandoned(path):
                raise BlockingIOError from None
            continue
        try:
            # Another program holds it for an instant if it takes the file for one that was left,
            # which it then removes.
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if is_at(path, descriptor):
                os.fchmod(descriptor, OWNER_ONLY)
                if like is not None:
                    copy_owner_and_mode(descriptor, like)
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def remove_abandoned(partial: Path) -> bool:
    """Remove a file that a killed program has left; whether it is gone. A program that writes it
    has locked it.
    """
    try:
        descriptor = os.open(partial, os.O_RDWR | os.O_NOFOLLOW)
    except FileNotFoundError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Another program may have renamed it, and what it was renamed to is complete.
        if is_at(partial, descriptor):
            _remove(partial)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


def rename(source: Path, target: Path) -> None:
    """Give a file another name, durably, in place of a file that has it."""
    os.replace(source, target)
    sync_folder(target.parent)


def sync_folder(path: Path) -> None:
    """Write the names in a folder to the disk."""
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def exclusive_use(path: str, job_locks: Sequence[Path]) -> Iterator[None]:
    """Keep every other program from using the store; StoreError when one uses it.

    A store that is too damaged to be opened counts as unused when no process holds a lock beside
    it.
    """
    folder = folder_beside(path)
    if folder.is_dir():
        for file in folder.iterdir():
            if file.name[0].isdigit() and not locks.is_dead(folder, file.name):
                raise StoreError(
                    f"{path} is in use by process {owner_of(folder, file.name)}; end it first",
                )
    for file in job_locks:
        lock = LockFile(file, Path(path))
        try:
            if not lock.is_free():
                raise StoreError(f"{path} is in use: a program holds {file.name}; end it first")
        finally:
            lock.close()
    writer = WriterLock(folder, Path(path))
    if not writer.acquire(PATIENCE_SECONDS):
        raise StoreError(f"{path} is in use: another program is writing to it")
    try:
        with _locked(path):
            yield
    finally:
        writer.release()
        writer.close()


@contextmanager
def _locked(path: str) -> Iterator[None]:
    """Hold SQLite's exclusive lock, if there is a file that SQLite can open; its log has then
    become part of it.
    """
    library = driver.sqlite_library()
    connection = None
    try:
        try:
            if not is_missing(path):
                connection = driver.open_connection(library, path)
                # SQLite allows this to the only connection of all processes.
                _while_busy(library, connection, "PRAGMA journal_mode = DELETE", path)
                _while_busy(library, connection, "BEGIN EXCLUSIVE", path)
        except Exception as error:
            if not driver.is_driver_failure(error, library):
                raise
        yield
    finally:
        if connection is not None:
            connection.close()


def _while_busy(library: Any, connection: DriverConnection, statement: str, path: str) -> None:
    deadline = elapsed_real_seconds() + PATIENCE_SECONDS
    while True:
        try:
            connection.execute(statement).fetchall()
            return
        except library.OperationalError as error:
            if not driver.is_busy(error):
                raise
            if elapsed_real_seconds() > deadline:
                raise StoreError(
                    f"{path} is in use: another program has it open; end it first",
                ) from error
            pause_a_moment()


def exchange(path: Path, copy: Path, aside: Path) -> None:
    """Put `copy` in the place of the store's file; the old file and its log, if there is one, are
    renamed to `aside`.

    At every moment one of the two is at `path`, unless the file system has no hard links. The
    caller holds `exclusive_use`. `killed_restore` undoes what is left when this is killed before
    its last step.
    """
    if path.exists():
        try:
            os.link(path, aside)
        except OSError:
            os.replace(path, aside)
    log = Path(f"{path}{LOG}")
    if log.exists():
        # Only a file that is gone, or that SQLite could not open, still has one. SQLite would apply
        # it to the copy.
        os.replace(log, f"{aside}{LOG}")
    Path(f"{path}{SHARED_MEMORY}").unlink(missing_ok=True)
    rename(copy, path)


# The space that a store takes: its log is truncated, and pages without data are returned to the
# file system.

# A transaction that returns this many pages takes a few milliseconds.
PAGES_PER_TRANSACTION = 250
# So many free pages (4 MB) are kept for messages to come: returning and taking them costs writes.
KEPT_PAGES = 1000
INCREMENTAL = 2
_RETURN = f"PRAGMA incremental_vacuum({PAGES_PER_TRANSACTION})"


class Pages(NamedTuple):
    """The size of a file in pages, how many of them hold no data, and whether they can be
    returned one by one.
    """

    size: int
    pages: int
    free: int
    returnable: bool


class Checkpoint(NamedTuple):
    """The frames in the log, and how many of them are in the main file; they differ while a
    program reads.
    """

    frames: int
    copied: int


def pages(database: Database) -> Pages:
    with Reading(database) as reading:
        size, number, free = map(reading.pragma, ("page_size", "page_count", "freelist_count"))
        return Pages(size, number, free, reading.pragma("auto_vacuum") == INCREMENTAL)


def return_free_pages(database: Database, keep: int) -> int:
    """Return all free pages but `keep` to the file system, a few in each transaction; return how
    many.

    The file shrinks at the next checkpoint. Does nothing for a store of an old version (`vacuum`).
    """
    before = pages(database)
    excess = before.free - keep if before.returnable else 0
    returned = 0
    while returned < excess:
        with Transaction(database, durable=False) as tx:
            tx.execute(_RETURN, ()).fetchall()
            left = tx.pragma("freelist_count")
        if before.free - left <= returned:
            break
        returned = before.free - left
    return max(0, returned)


def vacuum(database: Database) -> None:
    """Write the file anew without free pages; afterwards they can be returned one by one.

    Takes as much disk space again as the data, and keeps other programs from writing.
    """
    with _outside_transactions(database, durable=True) as connection:
        connection.execute(f"PRAGMA auto_vacuum = {INCREMENTAL}").fetchall()
        connection.execute("VACUUM").fetchall()


def checkpoint(database: Database, *, truncate: bool = False) -> Checkpoint:
    """Copy the log into the main file as far as readers allow, while no program of ours writes.

    With `truncate`, the log is then cut to zero bytes, unless a program reads from it.
    """
    with _outside_transactions(database, durable=False) as connection:
        mode = "TRUNCATE" if truncate else "PASSIVE"
        _, frames, copied = connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
    return Checkpoint(frames, copied)


@contextmanager
def _outside_transactions(database: Database, *, durable: bool) -> Iterator[DriverConnection]:
    """A connection for what SQLite does only outside transactions, while no program of ours
    writes.
    """
    connection, failure = database.begin(durable=durable), None
    try:
        connection.execute("COMMIT")
        yield connection
        # For end(), which commits it.
        connection.execute("BEGIN")
    except BaseException as error:
        failure = error
        raise
    finally:
        database.end(connection, failure)


# Copies of relations in a file of their own, in the state that one read transaction sees.


def copy_relations(reading: Reading, relations: Mapping[Relation, str], file: Path) -> None:
    """Copy relations, in the state that `reading` sees, into the new file `file`, which ends that
    state.

    For each, `relations` has the SQL of the table, view or query with its rows.

    SQLite copies row by row, so the memory that this takes does not depend on their number.
    StoreError if the file cannot be written; DamagedStoreError if rows have one number twice, or
    none.
    """
    # Empty, because the journal of a database with a first page cannot be changed in a transaction.
    file.touch(OWNER_ONLY, exist_ok=False)
    connection = reading.connection
    try:
        connection.execute("ATTACH ? AS frozen", (str(file),))
        try:
            # Without a file beside it. With OFF, a full disk would leave a database that cannot be
            # rolled back.
            connection.execute("PRAGMA frozen.journal_mode = MEMORY").fetchall()
            for relation, rows in relations.items():
                connection.execute(_create(relation))
                connection.execute(_fill(relation, rows))
            connection.execute("COMMIT")
        finally:
            # A database that a transaction uses cannot be detached.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            connection.execute("DETACH frozen")
    except sqlite_library().IntegrityError as error:
        store = str(connection.execute("PRAGMA database_list").fetchone()[2])
        raise DamagedStoreError(f"{store} is damaged; restore it from a copy ({error})") from error
    except Exception as error:
        # Only the store can be damaged, not a new file.
        if is_database_failure(error, sqlite_library()) and "malformed" not in str(error):
            raise store_error_for(error, str(file)) from error
        raise


def _create(relation: Relation) -> str:
    columns = (
        f'"{column.name}" {column.type}{" PRIMARY KEY" if column.name == relation.key else ""}'
        for column in relation.columns
    )
    return f'CREATE TABLE frozen."{relation.table}" ({", ".join(columns)})'


def _fill(relation: Relation, rows: str) -> str:
    names = ", ".join(f'"{column.name}"' for column in relation.columns)
    return f'INSERT INTO frozen."{relation.table}" ({names}) SELECT {names} FROM {rows}'
