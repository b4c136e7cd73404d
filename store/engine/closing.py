"""Handles and connections close: counters, locks, dynamic queues, and the trigger that a last close
can raise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from mqsc.store.engine import configuration_event, depth, expiry_owner, triggering
from mqsc.store.engine.definitions import beside_attributes
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.effects import Effect
from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.units import back_out
from mqsc.store.rules import object_events
from mqsc.store.sql import connections, managers, messages, objects, queues, units_of_work
from mqsc.store.sql.managers import ENDED, QUIESCING
from mqsc.store.sql.rows import TEMPORARY_DYNAMIC, HandleRow, QueueRow
from mqsc.store.sqlite.database import Transaction

_NOTHING: Mapping[str, Any] = {}
# The detail of a CLOSE that leaves its dynamic queue marked as deleted.
DELETES = "deletes"


def close(
    tx: Transaction,
    call: CallContext,
    handle: HandleRow,
    *,
    deletes: bool = False,
) -> list[Effect]:
    """Remove an open handle with its lock and its counts; closing the last input handle is a
    trigger occasion (O-CLOSE).

    `deletes`: its dynamic queue is deleted with it, as is a temporary one of the handle that created
    it.
    """
    connections.close_handle(tx, handle.id)
    if handle.queue is None:
        return []
    if handle.browse:
        depth.unlocked(tx, handle.queue, handle.id)
    queue = queues.by_id(tx, handle.queue, call.qmgr.name)
    if queue is None:
        return []
    queues.count_handles(
        tx,
        queue.id,
        call.qmgr.name,
        -handle.input,
        -handle.exclusive,
        -handle.output,
    )
    deletes |= queue.definition_type == TEMPORARY_DYNAMIC and queue.creator == handle.id
    detail = {"handle": handle.id}
    if deletes and not queue.logically_deleted and _is_needed(tx, queue):
        # No other event says that it is marked as deleted.
        detail[DELETES] = 1
    record_event(tx, call, "CLOSE", owner=queue.owner, queue=queue.name, detail=detail)
    if deletes or queue.logically_deleted:
        delete_dynamic(tx, call, queue)
        return []
    if handle.input and queue.input_handles == 1 and queue.trigger_on:
        return triggering.closed(tx, call, replace(queue, input_handles=0, exclusive_handles=0))
    return []


def _is_needed(tx: Transaction, queue: QueueRow) -> bool:
    """Whether handles are open on it, or a unit in doubt holds messages of it."""
    return connections.is_in_use(tx, queue.id) or units_of_work.in_doubt_hold_messages_of(
        tx, queue.id
    )


def delete_dynamic(tx: Transaction, call: CallContext, queue: QueueRow) -> None:
    """Delete a dynamic queue with all its messages.

    While other handles are open, or a unit in doubt holds messages of it, it is only marked as
    deleted.
    """
    if _is_needed(tx, queue):
        queues.set_columns(tx, queue.id, {"logically_deleted": 1, "creator": None})
        return
    got = units_of_work.got_on_queue(tx, queue.id)
    gone = messages.clear(tx, queue.id)
    if gone:
        about = {"owner": queue.owner, "queue": queue.name, "target": queue.type}
        record_event(
            tx,
            call,
            "CLEAR",
            cause="dynamic",
            **about,
            detail={"messages": gone, **({"got": got} if got else {})},
        )
    remove_queue(tx, call, queue, gone, cause="dynamic")
    # The record of the creator goes with the queue.
    for row in objects.records_of(tx, call.qmgr.name, "authrec", queue.name):
        if row.attributes["OBJTYPE"] == "QUEUE":
            objects.remove(tx, row.id)


def remove_queue(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    cleared: int,
    *,
    cause: str | None = None,
    was: Mapping[str, Any] = _NOTHING,
) -> None:
    """Remove an empty queue and its definition; the history records its attributes (`was`) and
    the messages cleared.
    """
    definition = objects.by_name(tx, queue.owner, "queue", queue.name)
    if definition is not None:
        objects.remove(tx, definition.id)
    queues.remove(tx, queue.id)
    beside = beside_attributes(call, definition.disposition) if definition is not None else {}
    about = {"owner": queue.owner, "queue": queue.name, "target": queue.type}
    record_event(
        tx,
        call,
        "DELETE",
        cause=cause,
        **about,
        detail={"messages": cleared, **beside, **was},
    )
    if definition is not None:
        origin = object_events.INTERNAL if cause == "dynamic" else object_events.CONSOLE
        configuration_event.deleted(tx, call, definition, origin=origin)


def end_connection(
    tx: Transaction,
    call: CallContext,
    connection: int,
    cause: str = "abend",
) -> None:
    """End a connection whose program is gone: back out its units of work, then close its handles.

    See backout B04 and triggering T39, T41.
    """
    for unit in units_of_work.of_connection(tx, connection):
        back_out(tx, call, unit, cause)
    effects: list[Effect] = []
    for row in connections.handles_of_connection(tx, connection):
        effects += close(tx, call, row)
    deliver(tx, call, effects)
    connections.drop(tx, connection)
    # A new version makes the calls of all connections look whether they still exist.
    managers.set_columns(tx, call.qmgr.name, {})
    complete_quiesce(tx, call)


def complete_quiesce(tx: Transaction, call: CallContext) -> None:
    """End a quiescing queue manager when its last connection is gone."""
    if call.qmgr.state == QUIESCING and connections.count(tx, call.qmgr.name) == 0:
        managers.set_columns(tx, call.qmgr.name, {"state": ENDED})
        record_event(tx, call, "END", cause="controlled")
        expiry_owner.settle_expiry_owner(tx, call, "end")
