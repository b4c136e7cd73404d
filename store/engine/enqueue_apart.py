"""The copies of a publication are put on many local queues, one on each, by few statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mqsc.store.engine import depth
from mqsc.store.engine.effects import Arrival
from mqsc.store.engine.state import CallContext
from mqsc.store.rules.putting import rank
from mqsc.store.sql import history
from mqsc.store.sql.message_insert import BoundInsert, PutTogether, insert
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Transaction


class LoneCopy(NamedTuple):
    """The only copy of a publication for a queue."""

    queue: QueueRow
    arrival: Arrival


def may_be_put_apart(call: CallContext, copy: LoneCopy) -> bool:
    """Whether nothing follows from putting a copy but its event and the count of its queue, as
    far as the copy and the columns of the queue say.
    """
    queue, descriptor = copy.queue, copy.arrival.descriptor
    if queue.trigger_on or queue.stream_queue or depth.may_raise_put_event(call, queue):
        return False
    if queue.owner != call.qmgr.name or not queue.recorded:
        return False
    return copy.arrival.form is not None and descriptor.expiry < 0 and not descriptor.report


def enqueue_apart(
    tx: Transaction,
    call: CallContext,
    copies: Sequence[LoneCopy],
    unit: int | None,
    publication: int,
) -> None:
    """Store copies, each of which `may_be_put_apart`, as `enqueue` does for one queue after the
    other. `publication` is the number of the PUBLISH.
    """
    bodies: dict[bytes, bytearray] = {}
    rows = [_bound(call, each, unit, bodies) for each in copies]
    last = insert(tx, rows)
    history.record_copies_apart(
        tx,
        call.now,
        call.qmgr.name,
        (call.connection, call.application, call.user),
        last - len(rows) + 1,
        [each.arrival.subscription for each in copies],
        publication,
    )
    depth.put_one_each(tx, call, [each.queue.id for each in copies])


def _bound(
    call: CallContext, copy: LoneCopy, unit: int | None, bodies: dict[bytes, bytearray]
) -> BoundInsert:
    queue, arrival = copy
    assert arrival.form is not None
    body = arrival.body
    data = bodies.get(body)
    if data is None:
        data = bodies[body] = bytearray(body)
    ranked = rank(arrival.descriptor.priority, bool(queue.fifo), queue.default_priority)
    together = PutTogether(queue.id, call.now, unit, kept=False)
    return arrival.form.bind(
        arrival.descriptor, data, together, queue.next_sequence, ranked, expires_at=None
    )
