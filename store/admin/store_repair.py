"""Repair of a store for `mqsc doctor`: what is safe to repair."""

from __future__ import annotations

from collections.abc import Callable

from mqsc.store.admin.health import WORTH_TRUNCATING, path_of_store
from mqsc.store.engine import depth, recovery
from mqsc.store.engine.state import StoreState
from mqsc.store.rules.health import quantity, size
from mqsc.store.sql import maintenance
from mqsc.store.sqlite import database, free_space
from mqsc.store.sqlite.files import file_size, with_file_failures


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
    before = free_space.pages(store.database)
    if before.free <= free_space.KEPT_PAGES and before.returnable:
        return []
    if before.returnable:
        returned = free_space.return_free_pages(store.database, 0)
        return [f"returned {size(returned * before.size)} to the file system"]
    users = store.read(maintenance.connections_by_process)
    if users:
        return []
    free_space.vacuum(store.database)
    after = free_space.pages(store.database)
    freed = size((before.pages - after.pages) * before.size)
    return [f"wrote the file anew ({freed} less); from now on it can return free space"]


def _truncate_log(store: StoreState) -> list[str]:
    before = file_size(f"{path_of_store(store)}-wal")
    if before < WORTH_TRUNCATING:
        return []
    free_space.checkpoint(store.database, truncate=True)
    after = file_size(f"{path_of_store(store)}-wal")
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
