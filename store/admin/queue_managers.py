"""Queue managers: creation, start, end, clock and system objects."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

from mqsc.store.admin import defining, deleting, expiry, records, running_objects, sharing_groups
from mqsc.store.admin.deleting import BATCH as DELETING_BATCH
from mqsc.store.catalog import KINDS, SYSTEM_OBJECTS, SystemObject, columns, defaults
from mqsc.store.constants import MQCHS, MQRC, MQRCCF, MQRQ
from mqsc.store.engine import closing, delivery, depth, expiry_owner, queue_events, recovery
from mqsc.store.engine.definitions import definable, object_row, queue_row, record_name
from mqsc.store.engine.history import message_event, record_event
from mqsc.store.engine.state import CallContext, QueueManagerState, StoreState
from mqsc.store.error import ImportedNameError, MQError, SharingGroupError, refuse_if
from mqsc.store.rules.event_message import Facts
from mqsc.store.rules.names import is_object_name
from mqsc.store.sql import (
    channels,
    connections,
    history,
    kept,
    maintenance,
    managers,
    messages,
    objects,
    queues,
    statistics,
    triggers,
)
from mqsc.store.sql.rows import StoredMessage
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.queries import Queries

QMGR = KINDS["QMGR"]
# The times of a manual clock, in microseconds: the years 1000 to 9995. The years of MQ have four
# digits, and a message expires up to three years after it was put.
CLOCK_TIMES = range(-30_610_224_000_000_000, 253_276_070_400_000_000)


def create_queue_manager(
    store: StoreState,
    name: str,
    *,
    manual_clock_at: int | None = None,
    default: bool = False,
    group: str = "",
) -> None:
    """Create a queue manager with every SYSTEM object, in one transaction; it is not started yet.

    It becomes the store's default when there is none, or when `default` is true. `manual_clock_at`
    (microseconds UTC) gives it a clock that moves only when set. With `group` it is a member of
    that queue-sharing group, which is created if the store has none. MQError 2058 for an invalid
    name, 4001 when it exists, SharingGroupError when the rules of groups do not allow it,
    ValueError for a clock in another year than 1000 to 9995.
    """
    _require_time(manual_clock_at)
    refuse_if(not is_object_name(name), MQRC.Q_MGR_NAME_ERROR, name)
    with Transaction(store.database, durable=True) as tx:
        refuse_if(managers.by_name(tx, name) is not None, MQRCCF.OBJECT_ALREADY_EXISTS, name)
        if maintenance.is_imported(tx, name):
            # Its events would be mixed with those of the other one.
            raise ImportedNameError(
                f"{name} is the name of a queue manager whose events were imported; choose "
                "another, or another store",
            )
        existing = managers.group(tx)
        if existing is not None and existing.name == name:
            raise SharingGroupError(f"{name} is the name of the queue-sharing group of the store")
        call = _add(tx, store, name, manual_clock_at, default)
        record_event(tx, call, "CREATE")
        _add_system_objects(tx, call)
        if group:
            sharing_groups.join(tx, call, group)


def _add(
    tx: Transaction,
    store: StoreState,
    name: str,
    manual_clock_at: int | None,
    default: bool,
) -> CallContext:
    former = managers.default(tx)
    if former is not None and default:
        managers.set_columns(tx, former.name, {"is_default": 0})
    attributes = defaults(QMGR, "", name)
    row: dict[str, Any] = {
        "name": name,
        "state": managers.ENDED,
        "is_default": int(default or former is None),
    }
    managers.add(tx, {**row, "clock_at": manual_clock_at, **columns(QMGR, attributes)})
    call = QueueManagerState(store, name).call_context(tx, running=False)
    managers.set_columns(tx, name, {"created_at": call.now})
    objects.add(tx, object_row(QMGR, name, name, attributes, call.now))
    return call


def _add_system_objects(tx: Transaction, call: CallContext) -> None:
    owner = call.qmgr.name
    definitions: list[dict[str, Any]] = []
    queue_rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    events = []
    for each in SYSTEM_OBJECTS:
        kind, attributes = KINDS[each.kind], each.attributes()
        definitions.append(object_row(kind, owner, each.name, attributes, call.now))
        if kind.namespace == "queue":
            queue_rows[each.kind].append(queue_row(kind, owner, each.name, attributes))
        events.append(call.event("DEFINE", cause="create", queue=each.name, target=each.kind))
    objects.add_all(tx, definitions)
    for alike in queue_rows.values():
        queues.add_all(tx, alike)
    history.append_all(tx, events)


def how_it_ended(store: StoreState, name: str) -> str:
    """How a queue manager last ended: controlled or immediate; blank when it never ran."""
    return store.read(managers.last_end, name)


def delete_queue_manager(store: StoreState, name: str) -> None:
    """Delete an ended queue manager with its queues, messages, units in doubt and objects; its
    history stays.

    MQError 2058 if it does not exist, 2042 if it is running; SharingGroupError if it is a member of
    a queue-sharing group. Messages are removed first, in batches.
    """
    recovery.recover(store)
    with Reading(store.database) as reading:
        _ended(reading, store, name)
        numbers = queues.with_messages(reading, name)
    gone = sum(_empty(store, name, number) for number in numbers)
    with Transaction(store.database, durable=True) as tx:
        call = _ended(tx, store, name)
        # The messages of units in doubt are all that is left on the queues.
        for share in managers.in_doubt_by_queue(tx, name):
            detail = {"messages": share.messages, **({"got": share.got} if share.got else {})}
            record_event(
                tx,
                call,
                "CLEAR",
                cause="purge",
                queue=share.queue,
                target="QLOCAL",
                detail=detail,
            )
        gone += managers.remove_owned(tx, name)
        managers.remove(tx, name)
        if not kept.all_rules(tx):
            kept.stop_keeping(tx)
        record_event(tx, call, "DELETE", queue=name, target="QMGR", detail={"messages": gone})


def message_count(store: StoreState, name: str) -> int:
    """How many messages are on the queues that a queue manager owns, but those for events of
    queue managers.
    """
    return store.read(queues.message_count, name)


def _empty(store: StoreState, name: str, number: int) -> int:
    total = 0
    while True:
        with Transaction(store.database, durable=False) as tx:
            call = _ended(tx, store, name)
            queue = queues.by_id(tx, number, name)
            removed = (
                deleting.remove_batch(tx, call, queue, queue.next_sequence, "purge")
                if queue is not None
                else 0
            )
        total += removed
        if removed < DELETING_BATCH:
            return total


def _ended(tx: Queries, store: StoreState, name: str) -> CallContext:
    """The call context of an ended queue manager; MQError 2058 or 2042."""
    call = QueueManagerState(store, name).call_context(tx, running=False)
    group = call.qmgr.sharing_group
    if group:
        raise SharingGroupError(
            f"{name} belongs to {group}; take it out first with `mqsc qmgr leave {name}`",
        )
    refuse_if(call.qmgr.state != managers.ENDED, MQRC.OBJECT_IN_USE, name)
    return call


# strmqm and endmqm: a start drops messages, and an end waits for connections or breaks them (design
# §3.11).

# Messages dropped or discarded in one transaction, so that no program waits long.
BATCH = 1000


def start(qmgr: QueueManagerState, *, with_services: bool = True) -> bool:
    """Start a queue manager; False when it was already running. MQError 2058 when it does not
    exist. Without services, its command server, listeners and services do not start, whatever
    SCMDSERV and CONTROL say.

    When several processes start it at once, the first to finish has started it and the others
    change nothing more.
    """
    # The last program that a quiescing queue manager waits for may be dead.
    recovery.recover(qmgr.store)
    with qmgr.transaction(durable=True, running=False) as (tx, call):
        if call.qmgr.state != managers.ENDED:
            return False
        for row in connections.of_queue_manager(tx, qmgr.name):
            closing.end_connection(tx, call, row.id, "restart")
    run = call.qmgr.run
    last = 0
    while last := _drop_batch(qmgr, run, last):
        continue
    # Of queues that may hold expired messages (expiry X12); of shared ones if no other member runs.
    for queue in expiry.expiring_queues(qmgr, "restart"):
        expiry.scan_queue(qmgr, queue, "restart", running=False)
    sharing_groups.refresh_at_start(qmgr)
    with qmgr.transaction(durable=True, running=False) as (tx, call):
        if not _is_ended(call, run):
            return False
        triggers.forget(tx, qmgr.name)
        statistics.reset_all(tx, qmgr.name, call.now)
        # STOPPED and RETRYING outlive the end of a queue manager, a request to start does not.
        channels.drop_in_status(tx, qmgr.name, int(MQCHS.STARTING))
        defined = objects.by_name(tx, qmgr.name, KINDS["QMGR"].namespace, qmgr.name)
        by_hand = defined is not None and defined.attributes.get("SCMDSERV") == "MANUAL"
        started = {
            "state": managers.RUNNING,
            "run": run + 1,
            "started_at": call.now,
            "commands_stopped": int(by_hand or not with_services),
        }
        managers.set_columns(tx, qmgr.name, started)
        record_event(tx, call, "START")
        running_objects.forget_earlier_run(tx, call)
        if with_services:
            running_objects.start_with_manager(tx, call)
        expiry_owner.settle_expiry_owner(tx, call, "start")
        facts: Facts = {
            "HostName": call.environment.host,
            "ReasonQualifier": int(MQRQ.FAILOVER_NOT_PERMITTED),
        }
        _raise(tx, call, int(MQRC.Q_MGR_ACTIVE), facts)
    return True


def _raise(tx: Transaction, call: CallContext, reason: int, facts: Facts) -> None:
    """Put the event about a start or an end, if STRSTPEV is enabled."""
    if queue_events.switch(tx, call.qmgr.name, "STRSTPEV") == "ENABLED":
        name = call.qmgr.name
        delivery.deliver(
            tx,
            call,
            queue_events.event(tx, call, reason, {"QMgrName": name, **facts}, name),
        )


def _is_ended(call: CallContext, run: int) -> bool:
    """Whether no other process has started it since the run of that number ended."""
    return call.qmgr.state == managers.ENDED and call.qmgr.run == run


def _drop_batch(qmgr: QueueManagerState, run: int, after: int) -> int:
    """Drop non-persistent messages of queues with NPMCLASS(NORMAL) after `after`; the last one
    dropped, 0 for none.
    """
    with qmgr.transaction(durable=True, running=False) as (tx, call):
        if not _is_ended(call, run):
            return 0
        dropped = messages.nonpersistent(tx, qmgr.name, after, BATCH)
        _forget(tx, call, dropped)
    return dropped[-1].id if dropped else 0


def _forget(tx: Transaction, call: CallContext, dropped: list[StoredMessage]) -> None:
    by_queue: dict[int, list[StoredMessage]] = {}
    for message in dropped:
        by_queue.setdefault(message.queue, []).append(message)
    messages.remove_all(tx, [message.id for message in dropped])
    for number, gone in by_queue.items():
        queue = queues.by_id(tx, number, call.qmgr.name)
        if queue is not None:
            depth.corrected(tx, number, -len(gone))
            rows = [
                message_event(call, "DISCARD", queue.name, each, cause="nonpersistent")
                for each in gone
            ]
            history.append_all(tx, rows)


def end(qmgr: QueueManagerState, *, immediate: bool) -> str:
    """End a queue manager; its state then: QUIESCING while connections remain and the end is
    controlled, else ENDED.
    """
    recovery.recover(qmgr.store)
    with qmgr.transaction(durable=True) as (tx, call):
        if immediate or call.qmgr.state != managers.QUIESCING:
            qualifier = MQRQ.Q_MGR_STOPPING if immediate else MQRQ.Q_MGR_QUIESCING
            _raise(tx, call, int(MQRC.Q_MGR_NOT_ACTIVE), {"ReasonQualifier": int(qualifier)})
        remaining = connections.of_queue_manager(tx, qmgr.name)
        if remaining and not immediate:
            managers.set_columns(tx, qmgr.name, {"state": managers.QUIESCING})
            return managers.QUIESCING
        for row in remaining:
            closing.end_connection(tx, call, row.id, "broken")
        managers.set_columns(tx, qmgr.name, {"state": managers.ENDED})
        record_event(tx, call, "END", cause="immediate" if immediate else "controlled")
        expiry_owner.settle_expiry_owner(tx, call, "end")
    return managers.ENDED


# The manual clock of a queue manager, set and moved (design §3.7).


def set_clock(qmgr: QueueManagerState, at: int) -> None:
    """Set it; ValueError for a queue manager that follows real time, or another year than 1000
    to 9995.
    """
    _move(qmgr, "set", lambda _: at)


def advance_clock(qmgr: QueueManagerState, microseconds: int) -> None:
    """Move it forward; ValueError for a negative time too."""
    if microseconds < 0:
        raise ValueError("a clock is advanced by a time that is not negative; set it to go back")
    _move(qmgr, "advance", lambda was: was + microseconds)


def _move(qmgr: QueueManagerState, cause: str, moved: Callable[[int], int]) -> None:
    with qmgr.transaction(durable=True, running=False) as (tx, call):
        was = call.qmgr.clock_at
        if was is None:
            raise ValueError(
                f"{qmgr.name} follows real time; a manual clock is chosen when a queue manager is "
                "created",
            )
        becomes = moved(was)
        _require_time(becomes)
        # The members of a group have one clock (sharing §10).
        for name in sharing_groups.members_with(tx, call.qmgr):
            managers.set_columns(tx, name, {"clock_at": becomes})
            detail = {"from": was, "to": becomes}
            record_event(tx, call, "CLOCK", cause=cause, qmgr=name, at=becomes, detail=detail)


def _require_time(at: int | None) -> None:
    if at is not None and at not in CLOCK_TIMES:
        raise ValueError("a manual clock shows a time in the years 1000 to 9995")


# strmqm -c: restore the SYSTEM objects to their initial definitions.


class Redefined(NamedTuple):
    """How many objects were created and replaced, and why the others could not be."""

    created: int
    replaced: int
    failed: list[MQError]


def redefine(qmgr: QueueManagerState) -> Redefined:
    """Create every missing SYSTEM object and reset every other; queues keep their messages.

    An object that is in use or has another type stays unchanged and counts as failed. MQError 2059.
    """
    with qmgr.reading() as (reading, _):
        there = [_is_there(reading, qmgr.name, each) for each in SYSTEM_OBJECTS]
    written = [_write(qmgr, each) for each in SYSTEM_OBJECTS]
    done = [was for was, error in zip(there, written, strict=True) if error is None]
    return Redefined(
        done.count(False),
        done.count(True),
        [error for error in written if error is not None],
    )


def _is_there(reading: Reading, owner: str, system_object: SystemObject) -> bool:
    name = record_name(KINDS[system_object.kind], system_object.name, system_object.attributes())
    return objects.by_name(reading, owner, system_object.namespace, name) is not None


def _write(qmgr: QueueManagerState, system_object: SystemObject) -> MQError | None:
    """Write one; the failure, or None."""
    words = definable(KINDS[system_object.kind])
    attributes = {
        word: value for word, value in system_object.attributes().items() if word in words
    }
    try:
        if system_object.kind == "CHLAUTH":
            records.set_channel_rule(
                qmgr,
                system_object.name,
                {"TYPE": system_object.subtype, **system_object.overrides},
                "REPLACE",
            )
        else:
            defining.create(
                qmgr, KINDS[system_object.kind], system_object.name, attributes, replace=True
            )
    except MQError as error:
        return error
    return None
