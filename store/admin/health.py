"""Checks and repair of a store for `mqsc doctor`, upkeep of its space, backup and restore."""

import os
import shutil
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from mqsc.store.constants import MQRC
from mqsc.store.engine import depth, recovery
from mqsc.store.engine.state import StoreState
from mqsc.store.environment import MICROSECONDS, elapsed_real_seconds, pause_a_moment
from mqsc.store.error import MQError, StoreError
from mqsc.store.rules.health import Depth, Facts, InDoubt, LostReference, Program, quantity, size
from mqsc.store.sql import maintenance, rows, schema_version
from mqsc.store.sql.kept import FORGET
from mqsc.store.sqlite import copies, database, driver, locks, open_files
from mqsc.store.sqlite.files import (
    refuse_name_beside,
    refuse_network_file_system,
    with_file_failures,
)
from mqsc.store.sqlite.killed_restore import undo_killed_restore
from mqsc.store.sqlite.locks import SingleInstanceLock
from mqsc.store.sqlite.mounts import refuse_mounted_alone
from mqsc.store.sqlite.owners import owner_of

# So many problems of one kind are listed.
LIMIT = 20
# A program that holds a lock longer than this is stopped, or reads an old state.
PATIENCE_SECONDS = 1.0
WORTH_TRUNCATING = 1 << 20
_LOCK_FILES = ("writer", "next-writer")


class LogUse(NamedTuple):
    """Whether the log could be copied into the main file, and the programs that prevented it, if
    any.
    """

    is_copied: bool
    readers: tuple[Program, ...]
    writers: tuple[Program, ...] | None


@with_file_failures
def facts_about(store: StoreState) -> Facts:
    """Everything that the checks decide on. Changes no data; StoreError when the store cannot be
    read at all.
    """
    path = _path(store)
    with database.Reading(store.database, one_state=True) as reading:
        schema = reading.pragma("user_version")
        damaged = schema_version.file_faults(reading.connection, LIMIT)
        # What is read from a damaged file may be anything, and may fail.
        contents = {} if damaged else _contents(reading, locks.folder_beside(path))
    # Copying the log could make a damaged file worse.
    use = LogUse(True, (), None) if damaged else _log_use(store, path)
    pages = copies.pages(store.database)
    return Facts(
        path=path,
        schema=schema,
        damage=tuple(damaged),
        **contents,
        lock_holders=_lock_holders(path),
        blocking_writers=use.writers,
        log_bytes=_size(f"{path}-wal"),
        log_limit=driver.LOG_SIZE_LIMIT,
        log_is_copied=use.is_copied,
        readers=use.readers,
        file_bytes=_size(path),
        page_bytes=pages.size,
        free_pages=pages.free,
        kept_pages=copies.KEPT_PAGES,
        returns_pages=pages.returnable,
        disk_free=shutil.disk_usage(Path(path).parent).free,
        sqlite=driver.sqlite_library().sqlite_version,
        library_warning=driver.library_warning(),
    )


def _contents(reading: database.Reading, folder: Path) -> dict[str, Any]:
    """The facts about the rows of a sound file; `folder` has the liveness files."""
    wrong = maintenance.wrong_depths(reading)
    events = maintenance.history(reading)
    processes = maintenance.connections_by_process(reading)
    dead = [count for file, count in processes if locks.is_dead(folder, file)]
    living = [(file, count) for file, count in processes if not locks.is_dead(folder, file)]
    return {
        "queue_managers": maintenance.queue_managers(reading),
        "damaged_definitions": tuple(maintenance.damaged_definitions(reading, LIMIT)),
        "wrong_depths": tuple(
            Depth(each.qmgr, each.queue, each.depth, each.messages) for each in wrong
        ),
        "messages_without_queue": maintenance.messages_without_queue(reading),
        "messages_without_unit": maintenance.messages_without_unit(reading),
        "lost_references": tuple(
            LostReference(*each) for each in maintenance.lost_references(reading)
        ),
        "in_doubt": tuple(_in_doubt(each, folder) for each in maintenance.in_doubt(reading)),
        "events": events.events,
        "first_event": events.first,
        "last_event": events.last,
        "event_counter": events.counter,
        "programs": tuple(_owner(folder, file, count) for file, count in living),
        "dead_processes": len(dead),
        "dead_connections": sum(dead),
    }


@with_file_failures
def faults_of_file(path: str) -> list[str]:
    """What is wrong with a file that cannot be opened as a store, or whose contents could not be
    used.
    """
    try:
        with copies.opened(Path(path), Path(path)) as connection:
            return schema_version.file_faults(connection, LIMIT)
    except StoreError as error:
        return [str(error)]


def _in_doubt(unit: maintenance.InDoubtRow, folder: Path) -> InDoubt:
    is_run = unit.file is not None and not locks.is_dead(folder, unit.file)
    return InDoubt(unit.qmgr, unit.name, unit.luwid, unit.messages, is_run)


def _path(store: StoreState) -> str:
    if store.path is None:
        raise ValueError("a store in memory has no file to check")
    return store.path


def _size(path: str) -> int:
    return os.path.getsize(path) if os.path.exists(path) else 0


def _owner(folder: Path, file: str, connections: int) -> Program:
    """The program that a liveness file belongs to."""
    process, place = owner_of(folder, file)
    return Program(process, "" if place else locks.command_of(process), connections, place)


def _others(processes: Iterable[int]) -> tuple[Program, ...]:
    """Other programs by their numbers in /proc."""
    own = locks.own_number()
    return tuple(Program(each, locks.command_of(each)) for each in sorted(processes) if each != own)


def _lock_holders(path: str) -> tuple[tuple[str, Program], ...]:
    """The files beside the store that processes hold locks on, except their own liveness files."""
    listed = locks.held_locks()
    files = [locks.folder_beside(path) / name for name in _LOCK_FILES]
    files += sorted(Path(path).parent.glob(f"{Path(path).name}.*-*"))
    return tuple(
        (file.name.removeprefix(f"{Path(path).name}."), program)
        for file in files
        for program in _holders(file, listed)
    )


def _holders(file: Path, listed: Iterable[locks.FileLock]) -> tuple[Program, ...]:
    """The other programs that hold a lock on a file; the system does not list those of other PID
    namespaces.
    """
    shown = locks.holders(file, listed)
    if not shown and locks.is_held(file):
        return (Program(0, ""),)
    return _others(shown)


def _log_use(store: StoreState, path: str) -> LogUse:
    """Copy the log into the main file. If that cannot be done for a while, say which programs
    are in the way.
    """
    patience, store.database.busy_timeout = store.database.busy_timeout, PATIENCE_SECONDS
    writers = locks.folder_beside(path) / "writer"
    readers: frozenset[int] | None = None
    began = elapsed_real_seconds()
    try:
        while True:
            done = copies.checkpoint(store.database)
            if done.frames <= done.copied:
                return LogUse(True, (), None)
            reading = locks.shared_memory_use(path, locks.held_locks()).reads
            # Our programs read for milliseconds; one that is found reading each time keeps the log
            # from shrinking.
            readers = reading if readers is None else readers & reading
            if elapsed_real_seconds() - began > PATIENCE_SECONDS:
                return LogUse(False, _others(readers), None)
            pause_a_moment()
    except MQError as error:
        if error.reason != MQRC.RESOURCE_PROBLEM:
            raise
        held = locks.held_locks()
        holding = {*locks.holders(writers, held), *locks.shared_memory_use(path, held).writes}
        return LogUse(True, (), _others(holding))
    finally:
        store.database.busy_timeout = patience


class Upkeep(NamedTuple):
    """How many bytes were returned to the file system, and the state of the log: blank unless
    something is wrong.
    """

    returned: int
    log: str


@with_file_failures
def upkeep(store: StoreState) -> Upkeep:
    """Return free space, and truncate a log that is too large; for a store that is in use."""
    path = _path(store)
    returned, state = 0, ""
    pages = copies.pages(store.database)
    if pages.returnable and pages.free > copies.KEPT_PAGES:
        returned = copies.return_free_pages(store.database, copies.KEPT_PAGES) * pages.size
    if returned or _size(f"{path}-wal") > driver.LOG_SIZE_LIMIT:
        use = _log_use(store, path)
        if use.is_copied and use.writers is None:
            copies.checkpoint(store.database, truncate=True)
        if _size(f"{path}-wal") > driver.LOG_SIZE_LIMIT:
            users = ", ".join(str(each) for each in use.readers) or "a program"
            state = (
                f"more than {size(driver.LOG_SIZE_LIMIT)}, because {users} reads an old state; end "
                "that program"
            )
    return Upkeep(returned, state)


@with_file_failures
def repair(store: StoreState) -> list[str]:
    """Repair what is safe to repair; a sentence for everything that was changed."""
    return [sentence for repair_one in REPAIRS for sentence in repair_one(store)]


def _recover_dead(store: StoreState) -> list[str]:
    return (
        ["backed out the work of dead programs and closed their handles"]
        if recovery.recover(store)
        else []
    )


def _release_locks(store: StoreState) -> list[str]:
    """Release the locks that handles hold which do not exist."""
    with database.Transaction(store.database, durable=True) as tx:
        orphaned = maintenance.orphaned_locks(tx)
        for each in orphaned:
            depth.unlocked(tx, each.queue, each.handle)
    if not orphaned:
        return []
    return [f"released the locks of {quantity(len(orphaned), 'handle')} that did not exist"]


def _end_orphaned_connections(store: StoreState) -> list[str]:
    """End the connections that no program owns, and those of which only the handles are left."""
    without_program = store.read(maintenance.orphaned_connections)
    for number in without_program:
        recovery.end_lost_connection(store, number)
    lost = store.read(maintenance.orphaned_handles)
    for each in lost:
        recovery.end_missing_connection(store, each.connection, each.qmgr)
    number = len(without_program) + len(lost)
    if not number:
        return []
    return [f"backed out the work of {quantity(number, 'connection')} of no program"]


def _correct_depths(store: StoreState) -> list[str]:
    with database.Transaction(store.database, durable=True) as tx:
        wrong = maintenance.wrong_depths(tx)
        for each in wrong:
            depth.corrected(tx, each.id, each.messages - each.depth)
    return [
        f"{each.qmgr} {each.queue}: CURDEPTH is now {each.messages}, it was {each.depth}"
        for each in wrong
    ]


def _return_space(store: StoreState) -> list[str]:
    before = copies.pages(store.database)
    if before.free <= copies.KEPT_PAGES and before.returnable:
        return []
    if before.returnable:
        returned = copies.return_free_pages(store.database, 0)
        return [f"returned {size(returned * before.size)} to the file system"]
    users = store.read(maintenance.connections_by_process)
    if users:
        return []
    copies.vacuum(store.database)
    after = copies.pages(store.database)
    freed = size((before.pages - after.pages) * before.size)
    return [f"wrote the file anew ({freed} less); from now on it can return free space"]


def _truncate_log(store: StoreState) -> list[str]:
    before = _size(f"{_path(store)}-wal")
    if before < WORTH_TRUNCATING:
        return []
    copies.checkpoint(store.database, truncate=True)
    after = _size(f"{_path(store)}-wal")
    return [f"truncated the log from {size(before)} to {size(after)}"] if after < before else []


# In this order: what comes later works with the result of what comes first.
REPAIRS: tuple[Callable[[StoreState], list[str]], ...] = (
    _recover_dead,
    _end_orphaned_connections,
    _release_locks,
    _correct_depths,
    _return_space,
    _truncate_log,
)


# Backups: a verified copy of a store made while programs use it, and the store replaced by such a
# copy.

# So many faults of a file are named in an error.
FAULTS_LISTED = 5


class Restored(NamedTuple):
    """The size of the restored store in bytes, and where the file that it replaced is now, if there
    was one.

    Of a store whose file was gone, that is its log. `undone` is a sentence about an earlier restore
    that was killed.
    """

    size: int
    aside: Path | None
    undone: str = ""


@with_file_failures
def back_up(store: StoreState, file: Path, *, replace: bool = False, kept: bool = False) -> int:
    """Copy the store into `file` while programs use it; return the size in bytes.

    With `kept`, the copy also has the data that was kept of messages that have left their queues.

    The copy shows the store after one commit, has mode 0600 and appears under its name only when it
    is complete and verified. StoreError when the file exists and `replace` is false, or when the
    copy fails.
    """
    if store.path is None:
        raise StoreError("only a store in a file can be backed up")
    file = _real(file)
    _require_other_file(Path(store.path), file)
    refuse_name_beside(file)
    if file.exists() and not replace:
        raise StoreError(f"{file} exists already")
    if file.exists() and Path(f"{file}{open_files.LOG}").exists():
        raise StoreError(f"{file} is a store that programs use")
    with copies.partial_file(file, None) as partial:
        copies.copy_store(store.database, partial, file)
        with copies.opened(partial, file) as copy:
            if not kept:
                copy.executescript(FORGET)
            faults = schema_version.file_faults(copy, FAULTS_LISTED)
        if faults:
            raise StoreError(f"the copy is damaged, so the store is too: {'; '.join(faults)}")
        size = partial.stat().st_size
        copies.rename(partial, file)
    return size


@with_file_failures
def restore(path: str, file: Path, now: int) -> Restored:
    """Replace the store at `path` by a copy of `file`; the old file is kept beside it, with the
    time `now` in its name.

    StoreError, and nothing has changed, when a program uses the store, or when `file` is damaged,
    is not a store, or was written by a newer version. The store may be missing or damaged.
    """
    target = Path(path)
    refuse_name_beside(target)
    refuse_name_beside(_real(file))
    refuse_network_file_system(path)
    refuse_mounted_alone(path)
    _require_other_file(target, file)
    if not file.is_file():
        raise StoreError(f"there is no file {file}")
    if not target.parent.is_dir():
        raise StoreError(f"there is no folder {target.parent}")
    undone = undo_killed_restore(path)
    # Programs that start meanwhile do not recover the work of dead ones in a file that is being
    # replaced.
    lock = SingleInstanceLock(
        Path(f"{path}.recovery"),
        target if target.exists() else target.parent,
    )
    if not lock.acquire():
        raise StoreError(f"{path} is in use: another program restores or recovers it")
    try:
        with copies.partial_file(target, target if target.exists() else None) as partial:
            copies.copy_file(file, partial, target)
            _require_store(partial, file)
            size = partial.stat().st_size
            aside = _free_name(target, now)
            # What `mqsc serve`, `mqsc run --skip-if-running` and `mqsc archive` lock while they
            # run.
            patterns = (f"{target.name}.{kind}-*" for kind in ("serve", "job", "archive"))
            locks = [file for pattern in patterns for file in sorted(target.parent.glob(pattern))]
            with copies.exclusive_use(path, locks):
                copies.exchange(target, partial, aside)
    finally:
        lock.release()
    put_aside = (each for each in (aside, _log_of(aside)) if each.exists())
    return Restored(size, next(put_aside, None), undone)


def _real(file: Path) -> Path:
    """The file with the folder's own name; a symbolic link in its own place is replaced, not
    followed.
    """
    return file.parent.resolve() / file.name


def _require_other_file(store: Path, file: Path) -> None:
    if file.exists() and store.exists() and file.samefile(store):
        raise StoreError(f"{file} is the store itself")


def _require_store(copy: Path, file: Path) -> None:
    with copies.opened(copy, file) as connection:
        version, application = (
            int(connection.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("user_version", "application_id")
        )
        if application != rows.APPLICATION_ID or version <= 0:
            raise StoreError(f"{file} is not a copy of a store")
        if version > rows.SCHEMA_VERSION:
            raise StoreError(
                f"{file} was written by a newer version of mqsc; upgrade mqsc to restore it",
            )
        # Triggers that are not ours would change messages, for example.
        faults = schema_version.file_faults(connection, FAULTS_LISTED)
    if faults:
        raise StoreError(f"{file} is damaged: {'; '.join(faults)}")


def _free_name(store: Path, now: int) -> Path:
    moment = datetime.fromtimestamp(now // MICROSECONDS, UTC).strftime("%Y%m%dT%H%M%SZ")
    first = Path(f"{store}.before-{moment}")
    names = (first, *(Path(f"{first}-{number}") for number in range(2, 1000)))
    return next(name for name in names if not name.exists() and not _log_of(name).exists())


def _log_of(file: Path) -> Path:
    return Path(f"{file}{open_files.LOG}")
