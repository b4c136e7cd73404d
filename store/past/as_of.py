"""A copy of a store in the state after an earlier event, on which the ordinary code runs.

Definitions, users, messages and handles are taken back from the present, event by event; where that
is not possible, or takes longer, messages are followed from the beginning of the history. A message
that is still there has its data and its whole descriptor. Of one that is gone, the history has what
its put recorded, and no data unless that was kept. The clock of each queue manager stands at what
it showed then.

The history does not know connections and states of channels, listeners and services, nor puts and
gets of queues with ACCTQ(OFF).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from stat import S_ISDIR
from tempfile import gettempdir, mkdtemp
from typing import Any, NamedTuple, TypeVar

from mqsc.store.catalog import KINDS, Kind, columns
from mqsc.store.engine.coupling_structures import CFSTRUCT, tell_queues
from mqsc.store.engine.definitions import (
    complete,
    namespaces,
    object_row,
    queue_row,
    record_name,
    shipped,
    subtype_of,
)
from mqsc.store.engine.dynamic_queues import DEFINITION_TYPES
from mqsc.store.engine.state import QueueManagerState, StoreState
from mqsc.store.environment import MICROSECONDS, PASSWORD_COST, Environment
from mqsc.store.error import DamagedStoreError, StoreError
from mqsc.store.past.calls import changed_attributes
from mqsc.store.past.clocks import Moment, clocks_after
from mqsc.store.past.deleted_queues import mark_deleted
from mqsc.store.past.places import Queue
from mqsc.store.past.placing import (
    Range,
    UnknownMessagesError,
    count_handles,
    once_unrecorded,
    place_messages,
)
from mqsc.store.rules.authorization import AUTO
from mqsc.store.rules.sharing import structure_of
from mqsc.store.sql import connections, history, kept, maintenance, managers, objects, past, queues
from mqsc.store.sql.managers import ENDED, RUNNING
from mqsc.store.sql.messages import clear
from mqsc.store.sql.objects import ObjectRow
from mqsc.store.sql.past import ObjectEvent
from mqsc.store.sql.rows import ArchiveRow, UserAccountRow
from mqsc.store.sqlite import copies
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.files import OWNER_ONLY
from mqsc.store.sqlite.locks import LockFile

_CHANGES = ("DEFINE", "ALTER", "SET", "DELETE")
_OF_MANAGERS = ("CREATE", "JOIN", "LEAVE", "OWNER", "START", "END")
NAME, _LOCK = "past.db", "lock"
# Folders that are made and those that are in use. A program that has not gone on for an hour was
# killed.
_NEW = "mqsc-new-"
_OWNED = "mqsc-past-"
_NEW_FOR = 3600 * MICROSECONDS

Changed = TypeVar("Changed")
# Owner, namespace or kind, and name of an object.
Key = tuple[str, str, str]


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
            f"events up to {pruned} were archived and removed: what was on queues is not known",
        )

    def go_back(tx: Transaction) -> tuple[list[str], Mapping[str, int]]:
        where = Range(pruned, moment.seq, history.bound(tx)[0])
        clocks = clocks_after(tx, moment, frozen=store.environment.clock.frozen)
        deleted, unrecorded = _go_back(tx, moment, clocks, where.last)
        mark_deleted(tx, moment.seq, deleted)
        if messages:
            unrecorded |= place_messages(tx, where, deleted, forwards=forwards)
            count_handles(tx, where, deleted)
            if with_kept and kept.last(tx):
                kept.complete(tx)
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


def archive_of(store: StoreState) -> ArchiveRow | None:
    """Where the archive of a store stands, and up to which event the store was pruned; None if
    it has none.
    """
    return store.read(maintenance.archiving)


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
    _definitions(tx, moment, [each for each in later if each.kind in _CHANGES])
    _queue_managers(tx, moment, clocks, [each for each in later if each.kind in _OF_MANAGERS])
    for event in reversed(later):
        if event.kind == "ACCESS" and event.cause in _UNDO_ACCESS:
            _UNDO_ACCESS[event.cause](tx, event, event.told.get("before"), event.told.get("after"))
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


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A temporary folder of this user, locked for the block and then removed, as are those of
    killed programs.
    """
    _remove_those_left()
    # It gets its name when it is locked: others would remove it before.
    new_folder = Path(mkdtemp(prefix=_NEW))
    lock = LockFile(new_folder / _LOCK)
    folder = new_folder.with_name(new_folder.name.replace(_NEW, _OWNED, 1))
    try:
        lock.acquire()
        yield new_folder.rename(folder)
    finally:
        lock.close()
        for each in (new_folder, folder):
            rmtree(each, ignore_errors=True)


def _remove_those_left() -> None:
    now = Environment.system().clock.now()
    for folder in (each for name in (_NEW, _OWNED) for each in Path(gettempdir()).glob(f"{name}*")):
        with suppress(OSError, StoreError):
            status = folder.lstat()
            is_new = folder.name.startswith(_NEW) and now - status.st_mtime_ns // 1000 < _NEW_FOR
            if not S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or is_new:
                continue
            lock = LockFile(folder / _LOCK)
            try:
                if lock.acquire():
                    rmtree(folder, ignore_errors=True)
            finally:
                lock.close()


# Definitions: what later events did is undone, the last one first.


def _definitions(tx: Transaction, moment: Moment, later: list[ObjectEvent]) -> None:
    first: dict[Key, str] = {}
    for event in later:
        first.setdefault((event.qmgr, event.type, event.name), event.kind)
    touched: dict[Key, None] = {}
    for event in reversed(later):
        kind = KINDS.get(event.type)
        # Of an object that was only defined later, such as most dynamic queues, nothing else needs
        # to be undone.
        is_new = first[(event.qmgr, event.type, event.name)] == "DEFINE" != event.kind
        if kind is not None and not is_new:
            touched.update(dict.fromkeys(_UNDO[event.kind](tx, kind, event)))
    present = [
        definition for key in touched if (definition := objects.by_name(tx, *key)) is not None
    ]
    for definition in present:
        _follow_definition(tx, definition)
    for definition in present:
        _follow_structure(tx, definition)
    _times(tx, moment, touched)


def _undo_definition(tx: Transaction, kind: Kind, event: ObjectEvent) -> list[Key]:
    values = {word: after for word, (_, after) in changed_attributes(event.told).items()}
    key = (
        event.qmgr,
        kind.namespace_of(subtype_of(kind, values)),
        record_name(kind, event.name, values),
    )
    past.remove_definition(tx, *key)
    queue = queues.by_name(tx, event.qmgr, event.name) if kind.namespace == "queue" else None
    if queue is not None:
        clear(tx, queue.id)
        queues.remove(tx, queue.id)
    return [key]


def _undo_deletion(tx: Transaction, kind: Kind, event: ObjectEvent) -> list[Key]:
    detail = event.told
    values = {word: before for word, (before, _) in changed_attributes(detail).items()}
    if event.cause == "dynamic":
        attributes = _of_model(tx, event)
    else:
        # Of an authority record only what was said is stored.
        attributes = {
            **({} if kind.keyword == "AUTHREC" else shipped(kind, subtype_of(kind, values))),
            **values,
        }
    is_shared = kind.namespace == "queue" and event.qmgr != detail.get("member", event.qmgr)
    disposition = detail.get("disposition", "SHARED" if is_shared else "QMGR")
    row = object_row(kind, event.qmgr, event.name, attributes, event.at, disposition=disposition)
    objects.add(tx, row)
    if kind.namespace == "queue" and disposition != "GROUP":
        row_of_queue = queue_row(kind, event.qmgr, event.name, attributes)
        type = DEFINITION_TYPES.get(str(attributes.get("DEFTYPE")))
        queues.add(tx, {**row_of_queue, "definition_type": type} if type else row_of_queue)
    return [(row["owner"], row["namespace"], row["name"])]


def _of_model(tx: Transaction, event: ObjectEvent) -> dict[str, Any]:
    """The attributes of a dynamic queue, of which its events say only from which model queue it
    was made.
    """
    member = event.told.get("member", event.qmgr)
    model = objects.by_name(
        tx,
        member,
        "queue",
        past.model_of(tx, event.qmgr, event.name, event.seq),
    )
    known = KINDS["QLOCAL"].attributes
    return {
        word: value for word, value in (model.attributes if model else {}).items() if word in known
    }


def _undo_change(tx: Transaction, kind: Kind, event: ObjectEvent) -> list[Key]:
    every = changed_attributes(event.told)
    pairs = {
        word: pair
        for word, pair in every.items()
        if word in kind.attributes or word in kind.identity
    }
    identity = event.told.get("record", {})
    if kind.identity and not identity:
        return _undo_definition(tx, kind, event)
    name = record_name(kind, event.name, identity)
    definition = next(
        (
            each
            for each in (objects.by_name(tx, event.qmgr, where, name) for where in namespaces(kind))
            if each
        ),
        None,
    )
    if definition is None:
        return []
    attributes = {**definition.attributes, **{word: before for word, (before, _) in pairs.items()}}
    present = {
        word: value for word, value in attributes.items() if value is not None or word not in pairs
    }
    objects.replace_attributes(tx, definition.id, present, definition.altered_at)
    return [(definition.owner, definition.namespace, definition.name)]


_UNDO = {
    "DEFINE": _undo_definition,
    "DELETE": _undo_deletion,
    "ALTER": _undo_change,
    "SET": _undo_change,
}


def _follow_definition(tx: Transaction, definition: ObjectRow) -> None:
    """Bring the columns that calls read in line with a definition."""
    kind = KINDS.get(definition.type)
    if kind is None:
        raise DamagedStoreError(
            f"{definition.name} is of no known type: {definition.type}; restore the store from "
            "a copy",
        )
    hot = columns(kind, complete(kind, definition.attributes))
    if kind.keyword == "QMGR":
        managers.set_columns(tx, definition.name, hot)
    elif kind.namespace == "queue" and definition.disposition != "GROUP":
        queue = queues.by_name(tx, definition.owner, definition.name)
        if queue is not None:
            queues.set_columns(tx, queue.id, hot)


def _follow_structure(tx: Transaction, definition: ObjectRow) -> None:
    """Bring what shared queues have of their structure in line with its definition."""
    kind = KINDS[definition.type]
    if kind.keyword == "CFSTRUCT":
        tell_queues(
            tx,
            definition.owner,
            definition.name,
            structure_of(complete(kind, definition.attributes)),
        )
    queue = (
        queues.by_name(tx, definition.owner, definition.name)
        if definition.disposition == "SHARED"
        else None
    )
    if queue is None:
        return
    name = str(complete(kind, definition.attributes)["CFSTRUCT"])
    queues.set_columns(tx, queue.id, {"structure": name})
    structure = objects.by_name(tx, definition.owner, CFSTRUCT.namespace, name)
    if structure is not None:
        tell_queues(
            tx, definition.owner, name, structure_of(complete(CFSTRUCT, structure.attributes))
        )


def _times(tx: Transaction, moment: Moment, touched: Mapping[Key, None]) -> None:
    """Give the objects that were touched the times at which they had been defined and altered."""
    times_of: dict[Key, tuple[int | None, int]] = {}
    for event in past.of_objects(tx, 1, moment.seq, ["DEFINE", "ALTER", "SET"]) if touched else ():
        kind = KINDS.get(event.type)
        name = event.name
        is_first = event.kind == "DEFINE"
        if kind is not None and kind.identity:
            identity = event.told.get("record")
            values = identity or {
                word: after for word, (_, after) in changed_attributes(event.told).items()
            }
            name, is_first = record_name(kind, name, values), identity is None
        elif event.kind == "SET":
            continue
        key = event.qmgr, event.type, name
        times_of[key] = event.at if is_first else times_of.get(key, (None, 0))[0], event.at
    for owner, namespace, name in touched:
        definition = objects.by_name(tx, owner, namespace, name)
        if definition is not None and (times := times_of.get((owner, definition.type, name))):
            # A queue manager has no DEFINE.
            past.rewrite_times(
                tx, owner, namespace, name, times[0] or definition.created_at, times[1]
            )


# Users, their groups, and the modes of authorities. Every queue manager has recorded what happened
# to users.


def _undo_mode(tx: Transaction, event: ObjectEvent, before: str | None, after: str | None) -> None:
    managers.set_columns(tx, event.qmgr, {"authority_mode": "" if before == AUTO else before})


def _undo_os_groups(
    tx: Transaction,
    event: ObjectEvent,
    before: str | None,
    after: str | None,
) -> None:
    managers.set_columns(tx, event.qmgr, {"os_groups": int(before == "on")})


def _undo_user(tx: Transaction, event: ObjectEvent, before: str | None, after: str | None) -> None:
    if before is None:
        connections.remove_user(tx, event.type)
        return
    # The history has no passwords, and no password has this hash.
    is_administrator = int(before == "administrator")
    created_at = changed_at = event.at
    account = UserAccountRow(
        event.type,
        b"",
        b"",
        *PASSWORD_COST,
        is_administrator,
        created_at,
        changed_at,
    )
    connections.write_user(tx, account)


def _undo_group(tx: Transaction, event: ObjectEvent, before: str | None, after: str | None) -> None:
    if after is not None:
        connections.remove_from_group(tx, event.type, after)
    if before is not None:
        connections.add_to_group(tx, event.type, before)


_UNDO_ACCESS: Mapping[str, Callable[[Transaction, ObjectEvent, str | None, str | None], None]] = {
    "mode": _undo_mode,
    "os-groups": _undo_os_groups,
    "user": _undo_user,
    "group": _undo_group,
}

# Queue managers: which there were, whether they ran, and their clocks.


def _queue_managers(
    tx: Transaction,
    moment: Moment,
    clocks: Mapping[str, int],
    later: list[ObjectEvent],
) -> None:
    states: dict[str, dict[str, Any]] = {}
    for event in reversed(later):
        if event.kind == "CREATE":
            managers.remove_owned(tx, event.qmgr)
            managers.remove(tx, event.qmgr)
        elif event.kind == "OWNER":
            managers.set_expiry_owner(tx, event.qmgr, event.told.get("from", ""))
        else:
            states.setdefault(event.qmgr, {}).update(_BEFORE[event.kind](event))
    for event in past.of_objects(tx, 1, moment.seq, ["START", "JOIN"]) if states else ():
        if event.qmgr in states:
            states[event.qmgr].update(_SINCE[event.kind](event))
    for row in managers.all(tx):
        managers.set_columns(
            tx,
            row.name,
            {**states.get(row.name, {}), "clock_at": clocks[row.name]},
        )


_BEFORE: Mapping[str, Callable[[ObjectEvent], dict[str, Any]]] = {
    "START": lambda event: {"state": ENDED},
    "END": lambda event: {"state": RUNNING},
    "JOIN": lambda event: {"sharing_group": ""},
    "LEAVE": lambda event: {"sharing_group": event.type},
}
_SINCE: Mapping[str, Callable[[ObjectEvent], dict[str, Any]]] = {
    "START": lambda event: {"started_at": event.at},
    "JOIN": lambda event: {"member_number": event.told.get("number", 0)},
}
