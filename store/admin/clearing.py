"""CLEAR, and the removal of messages in batches, which DELETE with PURGE uses too."""

from __future__ import annotations

from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQRC
from mqsc.store.engine import delivery, depth, recovery
from mqsc.store.engine.definitions import find
from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.error import UncommittedMessagesError, refuse_if, required
from mqsc.store.rules.sharing import PRIVATE, owner_of
from mqsc.store.sql import connections, messages, queues, units_of_work
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Transaction

# Removing this many takes some tens of milliseconds, the longest that other programs have to wait.
BATCH = 5000
QLOCAL = KINDS["QLOCAL"]


@recovery.retried_after_recovery
def clear(qmgr: QueueManagerState, name: str, *, disposition: str = PRIVATE) -> int:
    """CLEAR QLOCAL: remove every message that is there when the command starts; how many.

    MQError 2085 when the queue is missing, 4002 when it is not a local queue, 2042 when a handle is
    open on it or resolves to it, 2055 while a unit of work holds messages of it. Messages put
    during a long removal stay.
    """
    with_reserve = qmgr.store.database.with_reserve
    queue, below, removed = with_reserve(lambda: _clear_first(qmgr, name, disposition))
    total = removed
    while removed == BATCH:
        removed = with_reserve(lambda: _clear_more(qmgr, queue.id, below))
        total += removed
    return total


def _clear_first(qmgr: QueueManagerState, name: str, disposition: str) -> tuple[QueueRow, int, int]:
    """The queue, the sequence number of the next message, and how many messages were removed."""
    with qmgr.transaction(durable=True) as (tx, call):
        owner = owner_of(QLOCAL, qmgr.name, call.qmgr.sharing_group, disposition)
        find(tx, owner, QLOCAL, name, disposition=disposition)
        queue = unused_queue(tx, call, owner, name)
        return queue, queue.next_sequence, remove_batch(tx, call, queue, queue.next_sequence)


def _clear_more(qmgr: QueueManagerState, queue: int, below: int) -> int:
    with qmgr.transaction(durable=True, running=False) as (tx, call):
        left = queues.by_id(tx, queue, qmgr.name)
        return remove_batch(tx, call, left, below) if left is not None and left.depth else 0


def unused_queue(tx: Transaction, call: CallContext, owner: str, name: str) -> QueueRow:
    """A queue that is not in use: MQError 2042 while a handle is open, 2055 while a unit of work
    holds messages.
    """
    queue = required(
        queues.by_name(tx, owner, name, call.qmgr.name),
        MQRC.UNKNOWN_OBJECT_NAME,
        name,
    )
    refuse_if(connections.is_in_use(tx, queue.id), MQRC.OBJECT_IN_USE, name)
    if units_of_work.uncommitted_on_queue(tx, queue.id):
        raise UncommittedMessagesError(name)
    return queue


def remove_batch(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    below: int,
    cause: str | None = None,
) -> int:
    """Remove up to BATCH messages put before the sequence number `below`, and record how many.

    Statistics since RESET QSTATS stay: nothing was got (mqi-semantics §7).
    """
    removed = messages.remove_before(tx, queue.id, below, BATCH)
    if removed:
        delivery.deliver(tx, call, depth.removed(tx, call, queue.id, removed))
    if removed == queue.depth:
        queues.set_columns(tx, queue.id, {"earliest_expiry": None})
    about = {"owner": queue.owner, "queue": queue.name, "target": queue.type}
    record_event(tx, call, "CLEAR", cause=cause, **about, detail={"messages": removed})
    return removed
