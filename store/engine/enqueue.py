"""Messages are put on a local queue: rows, counters, history, and the effects that follow."""

from collections.abc import Sequence

from mqsc.store.engine import depth, triggering
from mqsc.store.engine.effects import ALONE, Arrival, CopyToStream, Effect, Placement
from mqsc.store.engine.history import record_publication_puts, record_puts
from mqsc.store.engine.report_messages import confirm_arrival
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.triggering import Puts
from mqsc.store.rules.expiry import expires_at
from mqsc.store.rules.putting import rank
from mqsc.store.rules.report_message import COA
from mqsc.store.sql import queues
from mqsc.store.sql.message_insert import BoundInsert, PutTogether, form_of, insert
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Transaction


def enqueue(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    arrivals: Sequence[Arrival],
    how: Placement = ALONE,
) -> list[Effect]:
    """Store messages on a local queue that has room for them; the effects returned are still to
    be delivered.
    """
    now = call.now
    number = queue.next_sequence
    fifo = bool(queue.fifo)
    default_priority = queue.default_priority
    together = PutTogether(queue.id, now, how.unit, how.kept)
    rows: list[BoundInsert] = []
    ranks: list[int] = []
    reports = 0
    body, data = b"", bytearray()
    earliest = queue.earliest_expiry
    for arrival in arrivals:
        descriptor = arrival.descriptor
        ranked = rank(descriptor.priority, fifo, default_priority)
        expires = None if descriptor.expiry < 0 else expires_at(descriptor.expiry, now)
        if expires is not None and (earliest is None or expires < earliest):
            earliest = expires
        form = arrival.form or form_of(descriptor)
        # Copies of a publication often have their data in common.
        if arrival.body is not body:
            body = arrival.body
            data = bytearray(body)
        rows.append(form.bind(descriptor, data, together, number, ranked, expires))
        ranks.append(ranked)
        reports |= descriptor.report
        number += 1
    last = insert(tx, rows)
    if earliest is not None and earliest != queue.earliest_expiry:
        queues.lower_earliest_expiry(tx, queue.id, earliest)
    if queue.recorded:
        if how.publication is not None:
            record_publication_puts(tx, call, queue, arrivals, last, how.publication)
        else:
            record_puts(tx, call, queue, arrivals, last, copies=how.copies)
    depth_events = depth.put(tx, call, queue, len(rows))
    effects: list[Effect] = []
    if queue.trigger_on or reports:
        effects += _follow_up(tx, call, queue, arrivals, ranks, how)
    effects += depth_events
    if queue.stream_queue and not how.copies:
        # First, so that the stream queue still has the room that was found when the put was
        # admitted.
        effects.insert(0, CopyToStream(queue.stream_queue, arrivals, how.unit, how.kept, how.chain))
    return effects


def _follow_up(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    arrivals: Sequence[Arrival],
    ranks: list[int],
    how: Placement,
) -> list[Effect]:
    """The trigger messages and COA reports that newly stored messages cause."""
    asking = (
        []
        if queue.is_transmission
        else [each for each in arrivals if COA.is_requested(each.descriptor.report)]
    )
    effects: list[Effect] = [confirm_arrival(call, queue, each, how.unit) for each in asking]
    if queue.trigger_on and queue.name not in how.chain:
        firsts = [
            arrived_rank
            for arrived_rank, arrival in zip(ranks, arrivals, strict=True)
            if not arrival.continues
        ]
        effects += triggering.arrived(tx, call, queue, Puts(ranks, firsts), how)
    return effects
