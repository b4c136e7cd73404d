"""Handles and connections close: counters, locks, dynamic queues, and the trigger that a last close
can raise.
"""

from __future__ import annotations

from msgspec.structs import replace

from mqsc.store.engine import depth, expiry_owner, subscription_end, triggering
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.effects import Effect
from mqsc.store.engine.history import record_event
from mqsc.store.engine.queue_removal import delete_dynamic, is_needed
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.units import back_out
from mqsc.store.sql import connections, managers, queues, units_of_work
from mqsc.store.sql.managers import ENDED, QUIESCING
from mqsc.store.sql.rows import TEMPORARY_DYNAMIC, HandleRow
from mqsc.store.sqlite.database import Transaction

# The detail of a CLOSE that leaves its dynamic queue marked as deleted.
DELETES = "deletes"


def close(
    tx: Transaction,
    call: CallContext,
    handle: HandleRow,
    *,
    deletes: bool = False,
    cause: str = "close",
) -> list[Effect]:
    """Remove an open handle with its lock and its counts; closing the last input handle is a
    trigger occasion (O-CLOSE).

    `deletes`: its dynamic queue is deleted with it, as is a temporary one of the handle that created
    it; a durable subscription ends, as others do anyway, for which the history has the `cause`.
    """
    connections.close_handle(tx, handle.id)
    if handle.queue is None:
        subscription_end.close(tx, call, handle, cause, removes=deletes)
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
    if deletes and not queue.logically_deleted and is_needed(tx, queue):
        # No other event says that it is marked as deleted.
        detail[DELETES] = 1
    record_event(tx, call, "CLOSE", owner=queue.owner, queue=queue.name, detail=detail)
    if deletes or queue.logically_deleted:
        delete_dynamic(tx, call, queue)
        return []
    if handle.input and queue.input_handles == 1 and queue.trigger_on:
        return triggering.closed(tx, call, replace(queue, input_handles=0, exclusive_handles=0))
    return []


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
        effects += close(tx, call, row, cause=cause)
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
