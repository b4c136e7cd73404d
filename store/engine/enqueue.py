"""Messages are put on a local queue: rows, counters, history, and the effects that follow."""

from __future__ import annotations

from collections.abc import Sequence

from store.engine import depth, triggering
from store.engine.call_context import CallContext
from store.engine.effects import Arrival, CopyToStream, Effect
from store.engine.history import record_puts
from store.engine.report_messages import confirm_arrival
from store.rules.expiry import expires_at
from store.rules.putting import rank
from store.rules.report_message import COA
from store.sql import queues
from store.sql.message_insert import BoundInsert, form_of, insert
from store.sql.rows import QueueRow
from store.sqlite.database import Transaction


def enqueue(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    arrivals: Sequence[Arrival],
    unit: int | None = None,
    *,
    kept: bool = False,
    chain: frozenset[str] = frozenset(),
    dead_letter_triggers: bool = True,
    copies: bool = False,
) -> list[Effect]:
    """Store messages on a local queue that has room for them; the effects returned are still to be delivered.

    `unit` hides them until it commits; `kept` messages stay when it is backed out. `copies` for a stream queue are not
    copied again.
    """
    now, number, fifo, default_priority = call.now, queue.next_sequence, bool(queue.fifo), queue.default_priority
    slot = queue.id, now, unit, kept
    rows: list[BoundInsert] = []
    ranks: list[int] = []
    reports = 0
    earliest = queue.earliest_expiry
    for arrival in arrivals:
        descriptor = arrival.descriptor
        ranked = rank(descriptor.priority, fifo, default_priority)
        expires = None if descriptor.expiry < 0 else expires_at(descriptor.expiry, now)
        if expires is not None and (earliest is None or expires < earliest):
            earliest = expires
        form = arrival.form or form_of(descriptor)
        rows.append(form.bind(descriptor, arrival.body, slot, number, ranked, expires))
        ranks.append(ranked)
        reports |= descriptor.report
        number += 1
    last = insert(tx, rows)
    if earliest is not None and earliest != queue.earliest_expiry:
        queues.lower_earliest_expiry(tx, queue.id, earliest)
    if queue.recorded:
        record_puts(tx, call, queue, arrivals, last, copies=copies)
    depth_events = depth.put(tx, call, queue, len(rows))
    effects: list[Effect] = []
    if queue.trigger_on or reports:
        effects += _follow_up(tx, call, queue, ranks, arrivals, unit, chain, dead_letter_triggers)
    effects += depth_events
    if queue.stream_queue and not copies:
        # First, so that the stream queue still has the room that was found when the put was admitted.
        effects.insert(0, CopyToStream(queue.stream_queue, arrivals, unit, kept, chain))
    return effects


def _follow_up(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    ranks: Sequence[int],
    arrivals: Sequence[Arrival],
    unit: int | None,
    chain: frozenset[str],
    dead_letter_triggers: bool,
) -> list[Effect]:
    """The trigger messages and COA reports that newly stored messages cause."""
    effects: list[Effect] = []
    for arrival in arrivals:
        report = arrival.descriptor.report
        if COA.is_requested(report) and not queue.is_transmission:
            effects.append(confirm_arrival(call, queue, arrival, unit))
    if queue.trigger_on and queue.name not in chain:
        firsts = [rank for rank, arrival in zip(ranks, arrivals, strict=True) if not arrival.continues]
        effects += triggering.arrived(tx, call, queue, ranks, firsts, unit, chain, dead_letter_triggers)
    return effects
