"""The messages of a queue for people to look at: nothing is locked, marked or discarded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mqsc.store.constants import MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.engine.stored_message import descriptor_of
from mqsc.store.error import refuse_if, required
from mqsc.store.rules.expiry import is_expired
from mqsc.store.sql import queues, units_of_work
from mqsc.store.sql.messages import QueuePosition, page
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Reading

# Messages per read; no read transaction is held between two reads.
PAGE = 100


class PeekedMessage(NamedTuple):
    """A committed message: its descriptor (Expiry is what remains, at least 1), the start of its
    data, its length.

    `is_expired`: the next get or scan that finds it discards it. `expires_at` is microseconds UTC,
    None for never. `number` is that of its row in the store, `locked_by` that of the handle that
    locked it with a browse, if one did.
    """

    descriptor: MessageDescriptor
    body: bytes
    length: int
    is_expired: bool
    expires_at: int | None
    number: int
    locked_by: int | None


def peek(
    qmgr: QueueManagerState,
    queue: str,
    most: int | None = None,
    *,
    at_once: int = PAGE,
) -> Iterator[PeekedMessage]:
    """The messages of a local queue at this moment, in delivery order; `most` bytes of each, or
    all.

    An alias stands for its queue. `at_once` messages are read together. Dead programs are recovered
    first. MQError 2085 when there is no such queue, 2045 when it cannot hold messages.
    """
    recover(qmgr.store)
    return _pages(qmgr, local_queue(qmgr, queue), qmgr.now(), most, at_once)


def got_by_open_units(qmgr: QueueManagerState, queue: str) -> int:
    """How many messages of the queue open units of work have got; they return when a unit is
    backed out.
    """
    found = local_queue(qmgr, queue)
    return qmgr.store.read(units_of_work.got_on_queue, found.id)


def _pages(
    qmgr: QueueManagerState,
    queue: QueueRow,
    now: int,
    most: int | None,
    size: int,
) -> Iterator[PeekedMessage]:
    place = QueuePosition()
    while True:
        rows = qmgr.store.read(
            page,
            queue.id,
            place,
            before=queue.next_sequence,
            size=size,
            most=most,
        )
        for message in rows:
            expired = is_expired(message.expires_at, now)
            descriptor, at = descriptor_of(message, now), message.expires_at
            yield PeekedMessage(
                descriptor,
                message.body,
                message.length,
                expired,
                at,
                message.id,
                message.locked_by,
            )
        if len(rows) < size:
            return
        place = QueuePosition(rows[-1].rank, rows[-1].sequence)


def local_queue(qmgr: QueueManagerState, name: str) -> QueueRow:
    manager = qmgr.row()
    with Reading(qmgr.store.database) as reading:
        queue = queues.visible(reading, manager, name)
        if queue is not None and queue.type == "QALIAS":
            queue = queues.visible(reading, manager, queue.target)
    queue = required(queue, MQRC.UNKNOWN_OBJECT_NAME, name)
    refuse_if(queue.type != "QLOCAL", MQRC.OPTION_NOT_VALID_FOR_TYPE, name)
    return queue
