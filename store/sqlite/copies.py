"""Copies of a store while it is used."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import copyfile
from types import ModuleType
from typing import Any

from mqsc.store.environment import elapsed_real_seconds, pause_a_moment
from mqsc.store.error import StoreError
from mqsc.store.sqlite import driver, driver_errors, liveness
from mqsc.store.sqlite.database import Database, Reading
from mqsc.store.sqlite.driver import DriverConnection
from mqsc.store.sqlite.files import (
    OWNER_ONLY,
    copy_owner_and_mode,
    file_size,
    is_at,
    is_missing,
    refuse_network_file_system,
)
from mqsc.store.sqlite.liveness import folder_beside
from mqsc.store.sqlite.locks import LockFile, WriterLock
from mqsc.store.sqlite.mounts import refuse_mounted_alone
from mqsc.store.sqlite.open_files import LOG, SHARED_MEMORY
from mqsc.store.sqlite.owners import owner_of
from mqsc.store.sqlite.untouched import must_stay_as_it_is

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
    `durable`, it is not synced, and it gets a log when it is used. StoreError when it
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


def copy_unchanged(source: Path, target: Path) -> None:
    """Copy the database in the file `source` into the empty file `target`, while other programs
    write, over a connection that cannot change it. The copy is not synced.

    Beside a file that must stay as it is, nothing is created either.
    """
    if not must_stay_as_it_is(str(source)):
        _copy_from(driver.open_read_only, source, target)
        return
    log, shared = (Path(f"{source}{suffix}") for suffix in (LOG, SHARED_MEMORY))
    if shared.exists() and log.exists():
        # Programs may be using it.
        refuse_network_file_system(str(source))
        refuse_mounted_alone(str(source))
        _copy_from(driver.open_read_only, source, target)
    else:
        _copy_settled(source, target)


def copy_untouched(source: Path, target: Path, final: Path) -> None:
    """Copy a file that must stay as it is into the empty file `target`: one file without a log, on
    disk, which will be renamed to `final`.
    """
    copy_unchanged(source, target)
    with opened(target, final) as copy:
        copy.execute("PRAGMA journal_mode = DELETE").fetchall()
    _sync(target)


def _sync(file: Path) -> None:
    with file.open("rb") as written:
        os.fsync(written.fileno())


def _copy_settled(source: Path, target: Path) -> None:
    """Copy a file that no program has open, with its log if a killed one has left it; StoreError if
    programs of other users write it meanwhile.
    """
    log = Path(f"{source}{LOG}")
    before = _state_of(source), _state_of(log)
    if file_size(log):
        # SQLite would create its shared memory.
        _copy_bytes(source, target)
        _copy_bytes(log, Path(f"{target}{LOG}"))
    else:
        _copy_from(driver.open_to_look_at, source, target)
    if (_state_of(source), _state_of(log)) != before:
        raise _written_meanwhile(source)


def _state_of(file: Path) -> tuple[int, int] | None:
    """Size and time of the last write; None for a file without content, or none at all."""
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    return (status.st_size, status.st_mtime_ns) if status.st_size else None


def _copy_bytes(source: Path, target: Path) -> None:
    try:
        copyfile(source, target)
    except FileNotFoundError as error:
        raise _written_meanwhile(source) from error
    except OSError as error:
        raise StoreError(f"{source} cannot be copied to {target}: {error.strerror}") from error


def _written_meanwhile(source: Path) -> StoreError:
    return StoreError(f"{source} was written while it was read; try again")


def _copy_from(
    open_source: Callable[[ModuleType, str], DriverConnection],
    source: Path,
    target: Path,
) -> None:
    library = driver.sqlite_library()
    connection = None
    try:
        connection = open_source(library, str(source))
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        _copy(connection, source, target, target, durable=False)
    except Exception as error:
        if driver_errors.is_driver_failure(error, library):
            raise driver_errors.store_error_for(error, str(source)) from error
        raise
    finally:
        if connection is not None:
            connection.close()


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
        _sync(target)


@contextmanager
def _naming_both(source: str | Path | None, final: Path) -> Iterator[None]:
    """Raise StoreError that names both files for a disk that fails: SQLite does not say which."""
    library = driver.sqlite_library()
    try:
        yield
    except Exception as error:
        if driver_errors.is_driver_failure(error, library) and driver_errors.is_disk_failure(error):
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
        if driver_errors.is_driver_failure(error, library):
            raise driver_errors.store_error_for(error, str(named)) from error
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
            if file.name[0].isdigit() and not liveness.is_dead(folder, file.name):
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
            if not driver_errors.is_driver_failure(error, library):
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
            if not driver_errors.is_busy(error):
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
