"""Queue managers, created and deleted."""

from collections import defaultdict
from typing import Any

from mqsc.store.admin import clearing, sharing_groups
from mqsc.store.admin.clearing import BATCH as DELETING_BATCH
from mqsc.store.admin.manual_clock import require_clock_time
from mqsc.store.catalog import KINDS, SYSTEM_OBJECTS, columns, defaults
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.engine import recovery
from mqsc.store.engine.definitions import object_row, queue_row
from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import CallContext, QueueManagerState, StoreState
from mqsc.store.error import ImportedNameError, SharingGroupError, refuse_if
from mqsc.store.rules.names import is_object_name
from mqsc.store.sql import history, kept, maintenance, managers, objects, queues
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.queries import Queries

QMGR = KINDS["QMGR"]


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
    require_clock_time(manual_clock_at)
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
                clearing.remove_batch(tx, call, queue, queue.next_sequence, "purge")
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
