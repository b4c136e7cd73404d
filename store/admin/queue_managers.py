"""Create and delete queue managers: crtmqm and dltmqm."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from store.admin import sharing_groups
from store.admin.clearing import BATCH, remove_batch
from store.catalog import KINDS, SYSTEM_OBJECTS, columns, defaults
from store.constants import MQRC, MQRCCF
from store.engine.call_context import CallContext
from store.engine.definitions import object_row, queue_row
from store.engine.recovery import recover
from store.engine.state import QueueManagerState, StoreState
from store.error import MQError, SharingGroupError
from store.rules.object_names import is_valid
from store.sql import history, managers, objects, queues
from store.sql.managers import ENDED
from store.sqlite.database import Queries, Reading, Transaction

QMGR = KINDS["QMGR"]


def create_queue_manager(
    store: StoreState, name: str, *, manual_clock_at: int | None = None, default: bool = False, group: str = ""
) -> None:
    """Create a queue manager with every SYSTEM object, in one transaction; it is not started yet.

    It becomes the store's default when there is none, or when `default` is true. `manual_clock_at` (microseconds UTC)
    gives it a clock that moves only when set. With `group` it is a member of that queue-sharing group, which is created
    if the store has none. MQError 2058 for an invalid name, 4001 when it exists, SharingGroupError when the rules of
    groups do not allow it.
    """
    if not is_valid(name):
        raise MQError(MQRC.Q_MGR_NAME_ERROR, name)
    with Transaction(store.database, durable=True) as tx:
        if managers.by_name(tx, name) is not None:
            raise MQError(MQRCCF.OBJECT_ALREADY_EXISTS, name)
        existing = managers.group(tx)
        if existing is not None and existing.name == name:
            raise SharingGroupError(f"{name} is the name of the queue-sharing group of the store")
        call = _add(tx, store, name, manual_clock_at, default)
        history.append(tx, call.event("CREATE"))
        _add_system_objects(tx, call)
        if group:
            sharing_groups.join(tx, call, group)


def _add(tx: Transaction, store: StoreState, name: str, manual_clock_at: int | None, default: bool) -> CallContext:
    former = managers.default(tx)
    if former is not None and default:
        managers.set_columns(tx, former.name, {"is_default": 0})
    attributes = defaults(QMGR, "", name)
    row: dict[str, Any] = {"name": name, "state": ENDED, "is_default": int(default or former is None)}
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
    with Reading(store.database) as reading:
        return managers.last_end(reading, name)


def delete_queue_manager(store: StoreState, name: str) -> None:
    """Delete an ended queue manager with its queues, messages, units in doubt and objects; its history stays.

    MQError 2058 if it does not exist, 2042 if it is running; SharingGroupError if it is a member of a queue-sharing
    group. Messages are removed first, in batches.
    """
    recover(store)
    with Reading(store.database) as reading:
        _ended(reading, store, name)
        numbers = queues.with_messages(reading, name)
    gone = sum(_empty(store, name, number) for number in numbers)
    with Transaction(store.database, durable=True) as tx:
        call = _ended(tx, store, name)
        # The messages of units in doubt are all that is left on the queues.
        for share in managers.in_doubt_by_queue(tx, name):
            detail = json.dumps({"messages": share.messages, **({"got": share.got} if share.got else {})})
            history.append(tx, call.event("CLEAR", cause="purge", queue=share.queue, target="QLOCAL", detail=detail))
        gone += managers.remove_owned(tx, name)
        managers.remove(tx, name)
        detail = json.dumps({"messages": gone})
        history.append(tx, call.event("DELETE", queue=name, target="QMGR", detail=detail))


def _empty(store: StoreState, name: str, number: int) -> int:
    total = 0
    while True:
        with Transaction(store.database, durable=False) as tx:
            call = _ended(tx, store, name)
            queue = queues.by_id(tx, number, name)
            removed = remove_batch(tx, call, queue, queue.next_sequence, "purge") if queue is not None else 0
        total += removed
        if removed < BATCH:
            return total


def _ended(tx: Queries, store: StoreState, name: str) -> CallContext:
    """The queue manager as the cause of what happens to it; MQError 2058 or 2042."""
    call = QueueManagerState(store, name).call_context(tx, running=False)
    group = call.qmgr.sharing_group
    if group:
        raise SharingGroupError(f"{name} belongs to {group}; take it out first with `mqsc qmgr leave {name}`")
    if call.qmgr.state != ENDED:
        raise MQError(MQRC.OBJECT_IN_USE, name)
    return call
