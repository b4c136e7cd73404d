"""A copy of a store in the state after an earlier event, on which the ordinary code runs.

Definitions, users, subscriptions, messages and handles are taken back from the present, event by
event; where that is not possible, or takes longer, messages are followed from the beginning of the
history. A message that is still there has its data and its whole descriptor. Of one that is gone,
the history has what its put recorded, and no data unless that was kept. The clock of each queue
manager shows what it showed then.

The history does not know connections and states of channels, listeners and services, nor puts and
gets of queues with ACCTQ(OFF).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from mqsc.store.engine.state import QueueManagerState, StoreState
from mqsc.store.environment import Environment
from mqsc.store.error import StoreError
from mqsc.store.past.clocks import Moment, clocks_after
from mqsc.store.past.deleted_queues import mark_deleted
from mqsc.store.past.event_ranges import Range, UnknownMessagesError
from mqsc.store.past.former_definitions import UNDO_ACCESS, Changed, Key, take_back_definitions
from mqsc.store.past.former_queue_managers import take_back_queue_managers
from mqsc.store.past.former_retained import note_retained
from mqsc.store.past.former_subscriptions import take_back_subscriptions
from mqsc.store.past.last_uses import count_handles
from mqsc.store.past.places import Queue
from mqsc.store.past.placing import once_unrecorded, place_messages
from mqsc.store.past.temporary_folders import NAME, temporary_folder
from mqsc.store.published import removed_events
from mqsc.store.sql import history, kept, maintenance, managers, past
from mqsc.store.sql.managers import RUNNING
from mqsc.store.sql.past import ObjectEvent
from mqsc.store.sql.rows import ArchiveRow
from mqsc.store.sqlite import copies
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.files import OWNER_ONLY

_CHANGES = ("DEFINE", "ALTER", "SET", "DELETE")
_OF_MANAGERS = ("CREATE", "JOIN", "LEAVE", "OWNER", "START", "END")


class NoSuchMomentError(UnknownMessagesError):
    """The history does not reach back to the moment, or is not yet there; the message says how
    far it goes.
    """


def moment_of_event(store: StoreState, seq: int) -> Moment:
    """The moment after an event; NoSuchMomentError if there is no such event."""
    with Reading(store.database) as reading:
        last = history.last_number(reading)
        event = past.event_at(reading, seq)
    if not 0 < seq <= last or event is None:
        raise NoSuchMomentError(f"there is no event {seq}; the history has events 1 to {last}")
    return Moment(seq, event[1])


def moment_at(qmgr: QueueManagerState, at: int) -> Moment:
    """The moment of a time by the queue manager's clock, after its last event until then.

    NoSuchMomentError if its history begins later, or the time is yet to come.
    """
    if at > qmgr.now():
        raise NoSuchMomentError("that time is yet to come")
    owners = [qmgr.name, qmgr.row().sharing_group]
    with Reading(qmgr.store.database) as reading:
        seq = past.last_before(reading, at, owners)
    if not seq:
        raise NoSuchMomentError(f"the history of {qmgr.name} begins after that time")
    return Moment(seq, at, qmgr.name)


class Past(NamedTuple):
    """The file of a copy, and the queues that have or had ACCTQ(OFF) and whose messages are not
    known: NAME of OWNER.

    `clocks` is what the clock of each queue manager shows there.
    """

    file: Path
    unknown: list[str]
    clocks: Mapping[str, int]


@contextmanager
def copy_as_of(
    store: StoreState,
    moment: Moment,
    *,
    messages: bool = True,
    with_kept: bool = True,
    forwards: bool | None = None,
) -> Iterator[Past]:
    """A copy of the store as it was at a moment; it is removed at the end of the block.

    Without `messages`, queues are empty and not open; without `with_kept`, messages that are gone
    have no data, though it was kept. `forwards` as in `place_messages`. NoSuchMomentError if events
    are needed that were removed from the store.
    """
    archive = archive_of(store)
    pruned = 0 if archive is None else archive.pruned
    if moment.seq < pruned:
        raise NoSuchMomentError(
            f"{removed_events(pruned)}: what was on queues is not known",
        )

    def go_back(tx: Transaction) -> tuple[list[str], Mapping[str, int]]:
        where = Range(pruned, moment.seq, history.bound(tx)[0])
        clocks = clocks_after(tx, moment, frozen=store.environment.clock.frozen)
        deleted, unrecorded = _go_back(tx, moment, clocks, where.last)
        mark_deleted(tx, moment.seq, deleted)
        take_back_subscriptions(tx, moment.seq + 1, where.last, clocks)
        if messages:
            unrecorded |= place_messages(tx, where, deleted, forwards=forwards)
            count_handles(tx, where, deleted)
            if with_kept and kept.last(tx):
                kept.complete(tx)
            note_retained(tx, where)
        else:
            past.empty(tx)
        past.remove_events(tx, moment.seq)
        names = (
            (owner, name)
            for owner, name, *_, is_recorded in past.local_queues(tx)
            if not is_recorded
        )
        present = {local_queue[:2] for local_queue in past.local_queues(tx)}
        return [
            f"{name} of {owner}" for owner, name in sorted({*names} | (unrecorded & present))
        ], clocks

    with _changed_copy(store, go_back) as (file, (unknown, clocks)):
        yield Past(file, unknown, clocks)


def treat_as_running(qmgr: QueueManagerState) -> None:
    """Let a queue manager of a copy run, so that commands show what it has although it had
    ended.
    """
    with Transaction(qmgr.store.database, durable=False) as tx:
        managers.set_columns(tx, qmgr.name, {"state": RUNNING})


def let_browse(qmgr: QueueManagerState) -> None:
    """Let the messages of a copy be browsed on queues with GET(DISABLED) also: that inhibits
    programs, not a look at the past.
    """
    with Transaction(qmgr.store.database, durable=False) as tx:
        past.enable_gets(tx)


def archive_of(store: StoreState) -> ArchiveRow | None:
    """Where the archive of a store is, and up to which event the store was pruned; None if it has
    no archive.
    """
    row = store.read(maintenance.archiving)
    return row if row is not None and row.url else None


@contextmanager
def copy_with_archive(
    store: StoreState,
    events: Iterable[tuple[Any, ...]],
    kept_data: Iterable[tuple[Any, ...]],
) -> Iterator[Path]:
    """The file of a copy of the store in which no event is pruned; it is removed at the end of the
    block.

    `events`: those that were archived and removed, with the values of the columns of the history.
    `kept_data`: what was archived of messages that are gone, with the values of
    `store.sql.kept.archived_columns`.
    """

    def return_what_was(tx: Transaction) -> None:
        past.return_events(tx, events)
        kept.stop_keeping(tx)
        kept.return_archived(tx, kept_data)
        archive = maintenance.archiving(tx)
        if archive is not None:
            maintenance.write_archiving(tx, archive._replace(pruned=0))

    with _changed_copy(store, return_what_was) as (file, _):
        yield file


@contextmanager
def _changed_copy(
    store: StoreState,
    change: Callable[[Transaction], Changed],
) -> Iterator[tuple[Path, Changed]]:
    """The file of a copy that was changed in one transaction, and what the change returned."""
    if store.path is None:
        raise StoreError("a store in memory has no past")
    with temporary_folder() as folder:
        file = folder / NAME
        file.touch(OWNER_ONLY)
        copies.copy_store(store.database, file, file, durable=False)
        copy = StoreState(str(file), Environment.system(), create=False)
        try:
            with Transaction(copy.database, durable=False) as tx:
                changed = change(tx)
        finally:
            copy.database.close()
        yield file, changed


def _go_back(
    tx: Transaction,
    moment: Moment,
    clocks: Mapping[str, int],
    last: int,
) -> tuple[set[Queue], set[Queue]]:
    """Take definitions and queue managers back.

    Returns the queues that are new, because they were deleted later, and those that later had
    ACCTQ(OFF).
    """
    later = past.of_objects(tx, moment.seq + 1, last, [*_CHANGES, *_OF_MANAGERS, "ACCESS"])
    kept.stop_keeping(tx)
    past.clear_held(tx)
    take_back_definitions(tx, moment, [each for each in later if each.kind in _CHANGES])
    take_back_queue_managers(
        tx, moment, clocks, [each for each in later if each.kind in _OF_MANAGERS]
    )
    for event in reversed(later):
        if event.kind == "ACCESS" and event.cause in UNDO_ACCESS:
            UNDO_ACCESS[event.cause](tx, event, event.told.get("before"), event.told.get("after"))
    deleted = {(each.qmgr, each.name) for each in later if each.kind == "DELETE"}
    return deleted, once_unrecorded(_until_deletion(later))


def _until_deletion(later: Iterable[ObjectEvent]) -> Iterator[ObjectEvent]:
    """The events about objects as they were at the moment, not about others that had their names
    afterwards.
    """
    gone: set[Key] = set()
    for event in later:
        key = event.qmgr, event.type, event.name
        if event.kind in ("DEFINE", "DELETE"):
            gone.add(key)
        if key not in gone:
            yield event
