"""Single events of the history: recorded for agents and imports, read for names of queues and
origins of messages.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from mqsc.store.admin.event_search import managers_of
from mqsc.store.admin.put_preview import leads_to
from mqsc.store.catalog.spelling import similar_names
from mqsc.store.constants import MQFMT
from mqsc.store.descriptor import NO_ID, MessageDescriptor
from mqsc.store.engine.history import on_object_of
from mqsc.store.engine.state import QueueManagerState, StoreState
from mqsc.store.error import ImportedNameError
from mqsc.store.published import KINDS
from mqsc.store.rules.message_origin import MoveRecord, MovingEvent, Origin
from mqsc.store.rules.names import matches
from mqsc.store.sql import history, maintenance, managers, messages, objects, queues, search
from mqsc.store.sql.rows import EventRow
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.queries import Queries

# For `record`.
OF_OWNER = True


def record(
    qmgr: QueueManagerState,
    kind: str,
    cause: str,
    of_owner: bool = False,
    /,
    *,
    detail: Mapping[str, Any],
    **columns: Any,
) -> None:
    """Append one event, in a transaction of its own; an ended queue manager still has a history.

    `columns` are those of the history; `application` and `user` default to those of the
    environment.
    ValueError for a cause or a key of `detail` that the kind does not have; MQError 2058 when the
    queue manager was deleted.

    `of_owner`: an event about a shared queue belongs to the group, as those of the queue itself do,
    and a dead letter to the owner of the dead-letter queue, its target.
    """
    known = KINDS[kind]
    strange = {cause} - set(known.causes) | set(detail) - set(known.detail)
    if strange:
        raise ValueError(f"{kind} has no {', '.join(sorted(strange))}")
    with qmgr.transaction(running=False) as (tx, call):
        event = call.event(kind, **{"cause": cause, "detail": detail or None, **columns})
        if of_owner and call.qmgr.sharing_group:
            queue = queues.visible(
                tx,
                call.qmgr,
                columns["target" if kind == "DEAD_LETTER" else "queue"],
            )
            event = event if queue is None else on_object_of(call, queue.owner, event)
        history.append(tx, event)


def times_moved(
    qmgr: QueueManagerState,
    queue: str,
    message: MessageDescriptor,
    *,
    target: str | None = None,
    last: int | None = None,
) -> int:
    """How often a message with these MsgId and CorrelId was moved on from that local queue before
    this one arrived.

    REQUEUE and FORWARD count, whatever their cause; only those to `target`, and only up to event
    number `last`, if they are given.
    """
    correl_id = None if message.correl_id == NO_ID else message.correl_id
    bounds = {"until": message.put_at, "last": last}
    known_bounds = {name: value for name, value in bounds.items() if value is not None}
    manager = qmgr.row()
    with Reading(qmgr.store.database) as reading:
        visible_queue = queues.visible(reading, manager, queue) if manager.sharing_group else None
        owner = qmgr.name if visible_queue is None else visible_queue.owner
        return history.times_moved(
            reading,
            owner,
            queue,
            message.msg_id,
            correl_id,
            target=target,
            **known_bounds,
        )


# Names of objects, and of queues that neither the store nor its history knows.

MOST_SIMILAR = 3


def defined_names(store: StoreState, qmgr: str | None, namespace: str) -> list[str]:
    """The names in a namespace of a queue manager, sorted; of the default queue manager if it is
    None.
    """
    owner = managers_of(store).default if qmgr is None else qmgr
    return sorted(store.read(objects.names, owner, namespace))


def unknown_queue(
    store: StoreState,
    patterns: Iterable[str],
    qmgr: str = "",
) -> tuple[str, Sequence[str]] | None:
    """Return the first name, or generic name, of no queue of the queue manager, with similar names;
    None if all exist.

    A queue that was deleted exists as long as the history mentions it. A blank `qmgr` stands for
    all queue managers.
    """
    with Reading(store.database) as reading:
        names = set(objects.names(reading, qmgr, "queue"))
        missing = [pattern for pattern in patterns if not _exists(pattern, names)]
        if not missing:
            return None
        names.update(search.names_of_queues(reading, qmgr))
    unknown = next((pattern for pattern in missing if not _exists(pattern, names)), None)
    return None if unknown is None else (unknown, _similar(unknown, names))


def _exists(pattern: str, names: Iterable[str]) -> bool:
    return any(matches(pattern, name) for name in names)


def _similar(pattern: str, names: Iterable[str]) -> list[str]:
    """The names that look most like the pattern; a difference in case counts least."""
    return similar_names(pattern.rstrip("*"), names, most=MOST_SIMILAR)


# Where the messages of a backout queue came from, read from the history.

# Events in one read.
RANGE = 20_000
# Messages with these formats do not go back to their origin: the header names their destination.
_WITH_HEADER = frozenset({str(MQFMT.DEAD_LETTER_HEADER), str(MQFMT.XMIT_Q_HEADER)})


class MessageOrigins:
    """The origins of the messages on a local queue.

    The first question reads the whole history, later ones what was added since, if the message is
    not known.
    """

    def __init__(self, qmgr: QueueManagerState, queue: str) -> None:
        self._qmgr = qmgr
        self._queue = queue
        self._names: dict[str, bool] = {}
        self._record = MoveRecord(queue, self._leads_here)
        self._last = 0

    def of(self, descriptor: MessageDescriptor) -> Origin | None:
        """The origin of a message on the queue; None for one whose format is that of an MQDLH or
        MQXQH.
        """
        if descriptor.format in _WITH_HEADER:
            return None
        found = self._recorded(descriptor) if self._last else None
        if found is None or found.unknown == "unrecorded":
            self._read()
            found = self._recorded(descriptor)
        return found

    def _recorded(self, descriptor: MessageDescriptor) -> Origin:
        correl_id = None if descriptor.correl_id == NO_ID else descriptor.correl_id
        return self._record.origin(descriptor.msg_id, correl_id, descriptor.put_at)

    def _read(self) -> None:
        manager = self._qmgr.row()
        with Reading(self._qmgr.store.database) as reading:
            last = history.bound(reading)[0]
            row = queues.visible(reading, manager, self._queue)
        if row is None:
            return
        for first in range(self._last + 1, last + 1, RANGE):
            # No read transaction outlives one range, however long the history is.
            events = self._qmgr.store.read(
                search.moving_events,
                row.owner,
                row.id,
                first,
                min(last, first + RANGE - 1),
            )
            for each in events:
                self._record.learn(MovingEvent._make(each))
        self._last = last

    def _leads_here(self, name: str) -> bool:
        if name not in self._names:
            self._names[name] = name == self._queue or leads_to(self._qmgr, name) == self._queue
        return self._names[name]


# Imported events: appended to the history under the name of their queue manager, each record once.
#
# A record is known by its fingerprint. The fingerprints, the events and the position in the file
# are one transaction, so that an import that was killed goes on where it was.


class FoundRecord(NamedTuple):
    """A record of a file: its fingerprint, and the events that it becomes, perhaps none."""

    fingerprint: str
    events: Sequence[EventRow]


def own_names(store: StoreState, defined: Iterable[str] = ()) -> frozenset[str]:
    """The names that imported events cannot have: those of the queue managers of the store and of
    their group.

    `defined` are queue managers that are about to be created, unless the history has imported
    events of their name.
    """
    with Reading(store.database) as reading:
        group = managers.group(reading)
        names = {each.name for each in managers.all(reading)}
        names.update(each for each in defined if not maintenance.is_imported(reading, each))
    return frozenset(names if group is None else names | {group.name})


def is_imported(store: StoreState, qmgr: str) -> bool:
    """Whether events of a queue manager of this name were imported, so that none can have it
    here.
    """
    return bool(store.read(maintenance.is_imported, qmgr))


def _refuse_own_name(tx: Queries, qmgr: str) -> None:
    group = managers.group(tx)
    if managers.by_name(tx, qmgr) is not None or (group is not None and group.name == qmgr):
        raise ImportedNameError(
            f"{qmgr} is a queue manager of this store, and imported events are kept apart from its "
            "own; "
            "give another name with --rename",
        )


def new_records(store: StoreState, records: Iterable[FoundRecord]) -> list[FoundRecord]:
    """Those of the records that were not imported yet; ImportedNameError as from `add_records`."""
    listed = list(records)
    with Reading(store.database) as reading:
        for qmgr in {row.qmgr for each in listed for row in each.events}:
            _refuse_own_name(reading, qmgr)
        known = {*maintenance.known_records(reading, [each.fingerprint for each in listed])}
    return [each for each in listed if each.fingerprint not in known]


def add_records(
    store: StoreState,
    records: Sequence[FoundRecord],
    position: tuple[str, Mapping[str, Any]] | None = None,
) -> list[FoundRecord]:
    """Record the events of those of the records that are new, and return these.

    `position` is a file and the state in which its import is left, for `position_of`.
    ImportedNameError if a queue manager or a group of the store has the name of one of the events.
    """
    with Transaction(store.database, durable=False) as tx:
        known = {*maintenance.known_records(tx, [each.fingerprint for each in records])}
        new = [each for each in records if each.fingerprint not in known]
        rows = [row for each in new for row in each.events]
        for qmgr in {row.qmgr for row in rows}:
            _refuse_own_name(tx, qmgr)
            maintenance.add_imported_manager(tx, qmgr)
        maintenance.add_records(tx, (each.fingerprint for each in new))
        history.append_all(tx, rows)
        if position is not None:
            maintenance.keep_import_position(tx, position[0], json.dumps(position[1]))
    return new


def position_of(store: StoreState, file: str) -> dict[str, Any]:
    """The state in which the import of a file was left, empty for one that was never imported."""
    found = store.read(maintenance.import_position_of, file)
    return json.loads(found) if found else {}


def set_backout_counts(
    store: StoreState,
    qmgr: str,
    queue: str,
    counts: Iterable[tuple[bytes, int]],
) -> None:
    """Set the backout counts of messages on a local queue, by MsgId, as they were where the
    messages come from.
    """
    with Transaction(store.database, durable=False) as tx:
        found = queues.visible(tx, QueueManagerState(store, qmgr).call_context(tx).qmgr, queue)
        if found is not None:
            for msg_id, backouts in counts:
                messages.set_backout_count(tx, found.id, msg_id, backouts)
