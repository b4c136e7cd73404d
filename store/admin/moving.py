"""MOVE QLOCAL: move the messages of one local queue to another; descriptor, data and age are unchanged.

A moved message arrives on the target as a put one does: it may trigger, and is confirmed on arrival. It does not leave
the source as a got one does: no confirmation on delivery, and expired messages are moved like others.
"""

from __future__ import annotations

import json

from store.admin.clearing import BATCH, QLOCAL, unused_queue
from store.constants import MQRC, MQRCCF
from store.engine import depth, triggering
from store.engine.call_context import CallContext
from store.engine.definitions import find
from store.engine.deliver import deliver
from store.engine.effects import Effect
from store.engine.group_triggering import Puts
from store.engine.history import on_object_of
from store.engine.recovery import retried_after_recovery
from store.engine.report_messages import confirm_move
from store.engine.state import QueueManagerState
from store.error import MQError
from store.rules.report_message import COA
from store.rules.sharing import LIVE, PRIVATE, owner_of
from store.sql import history, messages, queues
from store.sql.rows import QueueRow
from store.sqlite.database import Transaction


@retried_after_recovery
def move(qmgr: QueueManagerState, source: str, target: str, *, add: bool = False, disposition: str = PRIVATE) -> int:
    """Move every message that is there when the command starts to the end of the target, in order; how many.

    MQError 2085 or 4002 when either is not a local queue, 4008 when they are the same queue, 2042 when a handle is open
    on either, 2055 while a unit of work holds messages of either, or when the target holds messages and `add` is false,
    2053 and 2030 when they do not fit. A long queue is moved in several transactions, each with the trigger messages
    and reports of its messages; messages already moved stay moved. No put or get is counted (mqi-semantics §7).
    """
    if source == target:
        raise MQError(MQRCCF.OBJECT_NAME_ERROR, target)
    total, below = 0, None
    while True:
        # Persistent messages that were moved must not reappear at their old place after a power failure.
        with qmgr.transaction(durable=True) as (tx, call):
            owner = owner_of(QLOCAL, qmgr.name, call.qmgr.sharing_group, disposition)
            here, there = _queue(tx, call, owner, source, disposition), _target(tx, call, target)
            if below is None:
                below = here.next_sequence
                if there.depth and not add:
                    raise MQError(MQRC.Q_NOT_EMPTY, target)
                if here.depth + there.depth > there.max_depth:
                    raise MQError(MQRC.Q_FULL, target)
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


def _move_batch(tx: Transaction, call: CallContext, here: QueueRow, there: QueueRow, below: int) -> int:
    batch = messages.move_batch(tx, here.id, below, BATCH, COA.plain)
    if batch.longest > there.max_length:
        raise MQError(MQRC.MSG_TOO_BIG_FOR_Q, there.name)
    if there.structure_longest is not None and batch.longest > there.structure_longest:
        raise MQError(MQRC.WRONG_CF_LEVEL, there.name)
    # The reports of earlier batches may have taken the room.
    if batch.number and batch.number + there.depth > there.max_depth:
        raise MQError(MQRC.Q_FULL, there.name)
    elsewhere = {"target_owner": there.owner} if there.owner != here.owner else {}
    detail = json.dumps({"messages": batch.number, **elsewhere})
    event = call.event("MOVE", queue=here.name, target=there.name, detail=detail)
    history.append(tx, on_object_of(call, here.owner, event))
    if batch.number:
        shift = there.next_sequence - batch.first
        messages.move(tx, here.id, batch.last, there.id, shift, there.fifo, there.default_priority)
        depth_events = depth.moved(tx, call, here, there, batch, shift)
        first, last = batch.first + shift, batch.last + shift
        triggers = _triggered(tx, call, there, first, last)
        if batch.asking and not there.is_transmission:
            # One after the other: a batch of reports with full data may be more than fits in memory.
            for id in messages.moved_asking(tx, there.id, first, last, COA.plain):
                message = messages.by_id(tx, id)
                if message is not None:
                    deliver(tx, call, [confirm_move(call, there, message)])
        deliver(tx, call, triggers + depth_events)
    return batch.number


def _triggered(tx: Transaction, call: CallContext, there: QueueRow, first: int, last: int) -> list[Effect]:
    """The trigger messages for the messages just moved; `there` is as it was before. Each counts, even a segment."""
    if not there.trigger_on:
        return []
    ranks = messages.moved_ranks(tx, there.id, first, last)
    return triggering.arrived(tx, call, there, Puts(ranks, ranks))
