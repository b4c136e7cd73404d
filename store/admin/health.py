"""Checks of a store for `mqsc doctor`, and upkeep of its space."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from mqsc.store.admin.channel.sync_records import messages_in_doubt
from mqsc.store.constants import MQRC
from mqsc.store.engine.state import StoreState
from mqsc.store.environment import elapsed_real_seconds, pause_a_moment
from mqsc.store.error import MQError, StoreError
from mqsc.store.rules.health import Depth, Facts, InDoubt, LostReference, Program, size
from mqsc.store.sql import maintenance, schema_version, units_of_work
from mqsc.store.sqlite import copies, database, driver, free_space, liveness, locks, proc_locks
from mqsc.store.sqlite.files import file_size, with_file_failures
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
def facts_about(store: StoreState, original: str = "") -> Facts:
    """Everything that the checks decide on. Changes no data; StoreError when the store cannot be
    read at all.

    `original` is the file that the store is a copy of, if that must stay as it is: then the facts
    about the file are about that one.
    """
    path = original or path_of_store(store)
    with database.Reading(store.database, one_state=True) as reading:
        # The copy of an older store was upgraded.
        schema = schema_version.version_in(original) if original else reading.pragma("user_version")
        damaged = schema_version.file_faults(reading.connection, LIMIT)
        # What is read from a damaged file may be anything, and may fail.
        contents = {} if damaged else _contents(reading, liveness.folder_beside(path))
    # Copying the log could make a damaged file worse.
    use = LogUse(True, (), None) if damaged or original else _log_use(store, path)
    pages = free_space.pages(store.database)
    return Facts(
        path=path,
        schema=schema,
        damage=tuple(damaged),
        **contents,
        lock_holders=_lock_holders(path),
        blocking_writers=use.writers,
        log_bytes=file_size(f"{path}-wal"),
        log_limit=driver.LOG_SIZE_LIMIT,
        log_is_copied=use.is_copied,
        readers=use.readers,
        file_bytes=file_size(path),
        page_bytes=pages.size,
        free_pages=pages.free,
        kept_pages=free_space.KEPT_PAGES,
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
    dead = [count for file, count in processes if liveness.is_dead(folder, file)]
    living = [(file, count) for file, count in processes if not liveness.is_dead(folder, file)]
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
        "in_doubt": tuple(
            _in_doubt(reading, each, folder) for each in maintenance.in_doubt(reading)
        ),
        "events": events.events,
        "first_event": events.first,
        "last_event": events.last,
        "event_counter": events.counter,
        "events_left": events.left,
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


def _in_doubt(reading: database.Reading, row: maintenance.InDoubtRow, folder: Path) -> InDoubt:
    is_run = row.file is not None and not liveness.is_dead(folder, row.file)
    # A batch that was sent also has the synchronization record, which is no message to users.
    messages = (
        messages_in_doubt(reading, row.qmgr, unit)
        for unit in units_of_work.in_doubt(reading, row.qmgr)
        if (unit.name, unit.luwid) == (row.name, row.luwid) and unit.gets
    )
    return InDoubt(row.qmgr, row.name, row.luwid, next(messages, row.messages), is_run)


def path_of_store(store: StoreState) -> str:
    if store.path is None:
        raise ValueError("a store in memory has no file to check")
    return store.path


def _owner(folder: Path, file: str, connections: int) -> Program:
    """The program that a liveness file belongs to."""
    process, place = owner_of(folder, file)
    return Program(process, "" if place else proc_locks.command_of(process), connections, place)


def _others(processes: Iterable[int]) -> tuple[Program, ...]:
    """Other programs by their numbers in /proc."""
    own = proc_locks.own_number()
    return tuple(
        Program(each, proc_locks.command_of(each)) for each in sorted(processes) if each != own
    )


def _lock_holders(path: str) -> tuple[tuple[str, Program], ...]:
    """The files beside the store that processes hold locks on, except their own liveness files."""
    listed = proc_locks.held_locks()
    files = [liveness.folder_beside(path) / name for name in _LOCK_FILES]
    files += sorted(Path(path).parent.glob(f"{Path(path).name}.*-*"))
    return tuple(
        (file.name.removeprefix(f"{Path(path).name}."), program)
        for file in files
        for program in _holders(file, listed)
    )


def _holders(file: Path, listed: Iterable[proc_locks.FileLock]) -> tuple[Program, ...]:
    """The other programs that hold a lock on a file; the system does not list those of other PID
    namespaces.
    """
    shown = proc_locks.holders(file, listed)
    if not shown and locks.is_held(file):
        return (Program(0, ""),)
    return _others(shown)


def _log_use(store: StoreState, path: str) -> LogUse:
    """Copy the log into the main file. If that cannot be done for a while, say which programs
    are in the way.
    """
    patience, store.database.busy_timeout = store.database.busy_timeout, PATIENCE_SECONDS
    writers = liveness.folder_beside(path) / "writer"
    readers: frozenset[int] | None = None
    began = elapsed_real_seconds()
    try:
        while True:
            done = free_space.checkpoint(store.database)
            if done.frames <= done.copied:
                return LogUse(True, (), None)
            reading = proc_locks.shared_memory_use(path, proc_locks.held_locks()).reads
            # Our programs read for milliseconds; one that is found reading each time keeps the log
            # from shrinking.
            readers = reading if readers is None else readers & reading
            if elapsed_real_seconds() - began > PATIENCE_SECONDS:
                return LogUse(False, _others(readers), None)
            pause_a_moment()
    except MQError as error:
        if error.reason != MQRC.RESOURCE_PROBLEM:
            raise
        held = proc_locks.held_locks()
        holding = {
            *proc_locks.holders(writers, held),
            *proc_locks.shared_memory_use(path, held).writes,
        }
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
    path = path_of_store(store)
    returned, state = 0, ""
    pages = free_space.pages(store.database)
    if pages.returnable and pages.free > free_space.KEPT_PAGES:
        returned = free_space.return_free_pages(store.database, free_space.KEPT_PAGES) * pages.size
    if returned or file_size(f"{path}-wal") > driver.LOG_SIZE_LIMIT:
        use = _log_use(store, path)
        if use.is_copied and use.writers is None:
            free_space.checkpoint(store.database, truncate=True)
        if file_size(f"{path}-wal") > driver.LOG_SIZE_LIMIT:
            users = ", ".join(str(each) for each in use.readers) or "a program"
            state = (
                f"more than {size(driver.LOG_SIZE_LIMIT)}, because {users} reads an old state; end "
                "that program"
            )
    return Upkeep(returned, state)


# So many faults of a file are named in an error.
FAULTS_LISTED = 5
