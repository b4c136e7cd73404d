"""MOVE QLOCAL: the messages of one local queue go to another; descriptor, data and age are
unchanged.

A moved message arrives on the target as a put one does: it may trigger, and is confirmed on
arrival. It does not leave the source as a got one does: no confirmation on delivery, and expired
messages are moved like others.
"""

from __future__ import annotations

from mqsc.store.admin.clearing import BATCH, QLOCAL, unused_queue
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.engine import delivery, depth, recovery, triggering
from mqsc.store.engine.definitions import find
from mqsc.store.engine.effects import Effect
from mqsc.store.engine.history import record_event
from mqsc.store.engine.report_messages import confirm_move
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.error import MQError, refuse_if
from mqsc.store.rules.report_message import COA
from mqsc.store.rules.sharing import LIVE, PRIVATE, owner_of
from mqsc.store.sql import messages, queues
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Transaction


@recovery.retried_after_recovery
def move(
    qmgr: QueueManagerState,
    source: str,
    target: str,
    *,
    add: bool = False,
    disposition: str = PRIVATE,
) -> int:
    """Move every message that is there when the command starts to the end of the target, in order;
    how many.

    MQError 2085 or 4002 when either is not a local queue, 4008 when they are the same queue, 2042
    when a handle is open on either, 2055 while a unit of work holds messages of either, or when the
    target holds messages and `add` is false, 2053 and 2030 when they do not fit. A long queue is
    moved in several transactions, each with the trigger messages and reports of its messages;
    messages already moved stay moved. No put or get is counted (mqi-semantics §7).
    """
    refuse_if(source == target, MQRCCF.OBJECT_NAME_ERROR, target)
    total, below = 0, None
    while True:
        # Persistent messages that were moved must not reappear at their old place after a power
        # failure.
        with qmgr.transaction(durable=True) as (tx, call):
            owner = owner_of(QLOCAL, qmgr.name, call.qmgr.sharing_group, disposition)
            here, there = _queue(tx, call, owner, source, disposition), _target(tx, call, target)
            if below is None:
                below = here.next_sequence
                refuse_if(there.depth and not add, MQRC.Q_NOT_EMPTY, target)
                refuse_if(here.depth + there.depth > there.max_depth, MQRC.Q_FULL, target)
            moved = _move_batch(tx, call, here, there, below)
        total += moved
        if moved < BATCH:
            return total


def _target(tx: Transaction, call: CallContext, name: str) -> QueueRow:
    """The queue manager's own queue, else a shared one."""
    found = queues.visible(tx, call.qmgr, name)
    return _queue(tx, call, call.qmgr.name if found is None else found.owner, name, LIVE)


def _queue(tx: Transaction, call: CallContext, owner: str, name: str, disposition: str) -> QueueRow:
    find(tx, owner, QLOCAL, name, disposition=disposition)
    return unused_queue(tx, call, owner, name)


def _move_batch(
    tx: Transaction,
    call: CallContext,
    here: QueueRow,
    there: QueueRow,
    below: int,
) -> int:
    batch = messages.move_batch(tx, here.id, below, BATCH, COA.plain)
    refuse_if(batch.longest > there.max_length, MQRC.MSG_TOO_BIG_FOR_Q, there.name)
    if there.structure_longest is not None and batch.longest > there.structure_longest:
        raise MQError(MQRC.WRONG_CF_LEVEL, there.name)
    # The reports of earlier batches may have taken the room.
    refuse_if(
        batch.number and batch.number + there.depth > there.max_depth,
        MQRC.Q_FULL,
        there.name,
    )
    elsewhere = {"target_owner": there.owner} if there.owner != here.owner else {}
    detail = {"messages": batch.number, **elsewhere}
    record_event(
        tx,
        call,
        "MOVE",
        owner=here.owner,
        queue=here.name,
        target=there.name,
        detail=detail,
    )
    if batch.number:
        shift = there.next_sequence - batch.first
        messages.move(tx, here.id, batch.last, there.id, shift, there.fifo, there.default_priority)
        depth_events = depth.moved(tx, call, here, there, batch, shift)
        first, last = batch.first + shift, batch.last + shift
        triggers = _triggered(tx, call, there, first, last)
        if batch.asking and not there.is_transmission:
            # One after the other: a batch of reports with full data may be more than fits in
            # memory.
            for id in messages.moved_asking(tx, there.id, first, last, COA.plain):
                message = messages.by_id(tx, id)
                if message is not None:
                    delivery.deliver(tx, call, [confirm_move(call, there, message)])
        delivery.deliver(tx, call, triggers + depth_events)
    return batch.number


def _triggered(
    tx: Transaction,
    call: CallContext,
    there: QueueRow,
    first: int,
    last: int,
) -> list[Effect]:
    """The trigger messages for the messages just moved; `there` is as it was before. Each
    counts, even a segment.
    """
    if not there.trigger_on:
        return []
    ranks = messages.moved_ranks(tx, there.id, first, last)
    return triggering.arrived(tx, call, there, triggering.Puts(ranks, ranks))
