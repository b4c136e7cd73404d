"""The store's part of archiving its history: ranges of events are claimed, committed and then
pruned (archive §3).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from mqsc.store.admin.event_search import make_again
from mqsc.store.admin.health import upkeep
from mqsc.store.engine.state import StoreState, time_of
from mqsc.store.error import StoreError
from mqsc.store.rules.archive_ranges import (
    MOST_EVENTS,
    Claim,
    Head,
    PastEvent,
    Step,
    is_needed,
    next_step,
)
from mqsc.store.rules.event_index import segment_of
from mqsc.store.sql import history, maintenance, managers, rows
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.locks import SingleInstanceLock

# Events that one query reads; it also collects the MsgIds of the messages in the store.
PAGE = 100_000
# A transaction that removes so many takes a few milliseconds.
BATCH = 1_000
# A prune has the lock of readers for so long at most.
PATIENCE_SECONDS = 10.0
CLAIMED, COMMITTED = "CLAIMED", maintenance.COMMITTED
_NEW = maintenance.not_archived("")


class Pruned(NamedTuple):
    """How many events were removed, and how many bytes were returned to the file system.

    `interrupted` if a report began to read the history: the next run removes the rest.
    """

    events: int
    returned: int
    interrupted: bool = False


def lock_for(path: str) -> SingleInstanceLock:
    """The lock of the one program that archives the store at `path`; it is released when its
    process ends.
    """
    return SingleInstanceLock(Path(f"{path}.archive-run"), Path(path))


def writer_lock_of(path: str) -> str:
    """The file that the process that writes an archive locks, with the owner and permissions of
    the store at `path`.
    """
    writer = Path(f"{path}.archive-writer")
    SingleInstanceLock(writer, Path(path)).is_free()
    return str(writer)


@contextmanager
def pruning_prevented(path: str) -> Iterator[None]:
    """Keep other programs from pruning the history of the store at `path` during the block.

    Without an effect for a user who cannot write beside the store.
    """
    lock = _readers_lock(path)
    try:
        with suppress(StoreError):
            lock.share_within(PATIENCE_SECONDS)
        yield
    finally:
        lock.release()


def _readers_lock(path: str) -> SingleInstanceLock:
    """Reports share it while they read; a prune has it alone for each batch."""
    return SingleInstanceLock(Path(f"{path}.report-run"), Path(path))


def identity(store: StoreState) -> str:
    """The UUID of the store in archives."""
    row = store.read(maintenance.archiving)
    assert row is not None, "a store gets it when it is created, or first opened"
    return row.store


def archived_up_to(store: StoreState) -> int:
    """The last event that the store has archived, or has begun to archive."""
    return (store.read(maintenance.archiving) or _NEW).last


def archived_to(store: StoreState) -> tuple[str, int, str]:
    """The UUID of the store in archives, the number up to which it is pruned, and the archive that
    it was pruned for.

    The number is 0 and the archive blank if it was never archived.
    """
    row = store.read(maintenance.archiving) or _NEW
    return row.store, row.pruned, row.url


def preview(store: StoreState, url: str, head: Head) -> tuple[int, int]:
    """The first and last event that archiving to `url` would archive now; the first is greater
    if there is none.
    """
    with Reading(store.database) as reading:
        row, last = maintenance.archiving(reading) or _NEW, history.last_number(reading)
    step = _step(row, head, url, last)
    return (last + 1, last) if step is None else (step.first, last)


def claim(
    store: StoreState,
    url: str,
    head: Head,
    until: int,
    most: int = MOST_EVENTS,
) -> Step | None:
    """Claim the next range of at most `most` events up to `until` for the archive at `url`; `head`
    is its last commit.

    None when all of them are archived there. StoreError when the archive and the store do not fit
    together.
    """
    with Transaction(store.database, durable=True) as tx:
        row = maintenance.archiving(tx) or _NEW
        step = _step(row, head, url, until, most)
        if step is not None:
            claimed = row._replace(
                state=CLAIMED,
                url=url,
                first=step.first,
                last=step.last,
                sha256="",
            )
            maintenance.write_archiving(tx, claimed)
    return step


def commit(store: StoreState, url: str, step: Step, sha256: str) -> None:
    """Note that the claimed range is in the archive; `sha256` is the hash of its commit file."""
    with Transaction(store.database, durable=True) as tx:
        row = maintenance.archiving(tx)
        if row is None or (row.url, row.first, row.last) != (url, step.first, step.last):
            raise StoreError(
                f"{store.path} was archived by another program meanwhile: {step.first} to "
                f"{step.last} is not claimed",
            )
        maintenance.write_archiving(tx, row._replace(state=COMMITTED, sha256=sha256))


def last_event(store: StoreState) -> int:
    """The number of the last event of the store, pruned or not."""
    return store.read(history.last_number)


def prune(store: StoreState, keep: int, on_batch: Callable[[], None] = lambda: None) -> Pruned:
    """Remove archived events older than `keep` microseconds that nothing in the store needs any more;
    return free space.

    A run that is killed leaves events that the next one removes; so does one during which a report
    begins to read. `on_batch` is called after each transaction.
    """
    row = store.read(maintenance.archiving) or _NEW
    archived = row.last if row.state == COMMITTED else row.first - 1
    batches = (
        numbers[start : start + BATCH]
        for numbers in prunable(store, archived, keep)
        for start in range(0, len(numbers), BATCH)
    )
    lock = None if store.path is None else _readers_lock(store.path)
    removed = 0
    shortened: set[int] = set()
    for batch in batches:
        if lock is not None and not lock.acquire():
            return Pruned(removed, upkeep(store).returned, interrupted=True)
        try:
            store.database.with_reserve(partial(_remove, store, batch))
        finally:
            if lock is not None:
                lock.release()
        removed += len(batch)
        shortened.update(map(segment_of, batch))
        on_batch()
    for segment in sorted(shortened):
        store.database.with_reserve(partial(make_again, store, segment))
    return Pruned(removed, upkeep(store).returned)


def prunable(store: StoreState, archived: int, keep: int) -> Iterator[list[int]]:
    """The numbers of the events up to `archived` that `prune` removes, a page at a time.

    It ends at the first page without an event that is old enough; later events from an old clock
    stay longer.
    """
    clocks = {row.name: time_of(row, store.environment) for row in store.read(managers.all)}
    now = store.environment.clock.now()
    units: set[int] = set()
    after = 0
    while True:
        page = [
            PastEvent._make(row)
            for row in store.read(maintenance.old_events, after, archived, PAGE)
        ]
        old = {each.seq for each in page if each.at <= clocks.get(each.qmgr, now) - keep}
        # Of the younger ones too, which may belong to the same units.
        needed = {each.seq for each in page if is_needed(each, units)}
        yield sorted(old - needed)
        if len(page) < PAGE or not old:
            return
        after = page[-1].seq


def _remove(store: StoreState, numbers: list[int]) -> None:
    with Transaction(store.database, durable=False) as tx:
        row = maintenance.archiving(tx)
        assert row is not None
        maintenance.remove_events(tx, numbers)
        if numbers[-1] > row.pruned:
            maintenance.write_archiving(tx, row._replace(pruned=numbers[-1]))


def _step(
    row: rows.ArchiveRow,
    head: Head,
    url: str,
    last: int,
    most: int = MOST_EVENTS,
) -> Step | None:
    claimed = Claim(row.url, row.first, row.last, row.state == COMMITTED, row.sha256, row.pruned)
    try:
        return next_step(claimed, head, url, last, most)
    except ValueError as error:
        raise StoreError(str(error)) from error
