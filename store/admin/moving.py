"""MOVE QLOCAL: move the messages of one local queue to another; descriptor, data and age are unchanged."""

from __future__ import annotations

import json

from store.admin.clearing import BATCH, QLOCAL, unused_queue
from store.constants import MQRC, MQRCCF
from store.engine import depth
from store.engine.call_context import CallContext
from store.engine.definitions import find
from store.engine.deliver import deliver
from store.engine.recovery import retry_after_recovery
from store.engine.state import QueueManagerState
from store.error import MQError
from store.sql import history, message_move
from store.sql.rows import QueueRow
from store.sqlite.database import Transaction


def move(qmgr: QueueManagerState, source: str, target: str, *, add: bool = False) -> int:
    """Move every message that is there when the command starts to the end of the target, in order; how many.

    MQError 2085 or 4002 when either is not a local queue, 4008 when they are the same queue, 2042 when a handle is open
    on either, 2055 while a unit of work holds messages of either, or when the target holds messages and `add` is false,
    2053 and 2030 when they do not fit. A long queue is moved in several transactions; messages already moved stay
    moved. No trigger message is generated, and no put or get is counted (mqi-semantics §7).
    """
    if source == target:
        raise MQError(MQRCCF.OBJECT_NAME_ERROR, target)
    return retry_after_recovery(qmgr.store, lambda: _move(qmgr, source, target, add))


def _move(qmgr: QueueManagerState, source: str, target: str, add: bool) -> int:
    total, below = 0, None
    while True:
        # Persistent messages that were moved must not reappear at their old place after a power failure.
        with Transaction(qmgr.store.database, durable=True) as tx:
            call = qmgr.call_context(tx)
            here, there = _queue(tx, call, source), _queue(tx, call, target)
            if below is None:
                below = here.next_sequence
                _check_room(here, there, add)
            moved = _move_batch(tx, call, here, there, below)
        total += moved
        if moved < BATCH:
            return total


def _queue(tx: Transaction, call: CallContext, name: str) -> QueueRow:
    find(tx, call.qmgr.name, QLOCAL, name)
    return unused_queue(tx, call, name)


def _check_room(here: QueueRow, there: QueueRow, add: bool) -> None:
    if there.depth and not add:
        raise MQError(MQRC.Q_NOT_EMPTY, there.name)
    if here.depth + there.depth > there.max_depth:
        raise MQError(MQRC.Q_FULL, there.name)


def _move_batch(tx: Transaction, call: CallContext, here: QueueRow, there: QueueRow, below: int) -> int:
    batch = message_move.batch(tx, here.id, below, BATCH)
    if batch.longest > there.max_length:
        raise MQError(MQRC.MSG_TOO_BIG_FOR_Q, there.name)
    if batch.number:
        shift = there.next_sequence - batch.first
        message_move.move(tx, here.id, batch.last, there.id, shift, there.fifo, there.default_priority)
        deliver(tx, call, depth.moved(tx, call, here, there, batch, shift))
    detail = json.dumps({"messages": batch.number})
    history.append(tx, call.event("MOVE", queue=here.name, target=there.name, detail=detail))
    return batch.number
