"""Messages arrive on a local queue: rows, counters, history, and the effects that follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from store.database import Transaction
from store.descriptor import NO_ID, NO_TOKEN, MessageDescriptor
from store.flow import occasions, queue_events
from store.flow.caller import Caller
from store.flow.effects import Arrival, Effect
from store.flow.history import put_event
from store.flow.reporting import confirm_arrival
from store.rules.expiry import expires_at
from store.rules.putting import rank
from store.rules.report import COA
from store.schema import AVAILABLE, PUT
from store.sql import events, messages, queues
from store.sql.rows import UNNUMBERED, QueueRow, StoredMessage


class Place(NamedTuple):
    """Where a message stands: the queue, its place there, and the unit of work that holds it back, if any."""

    queue: int
    sequence: int
    state: int
    unit: int | None
    rank: int
    kept_at_backout: int


def place(
    tx: Transaction,
    caller: Caller,
    queue: QueueRow,
    arrivals: Sequence[Arrival],
    *,
    unit: int | None = None,
    kept: bool = False,
    chain: frozenset[str] = frozenset(),
    dead_letter_triggers: bool = True,
) -> list[Effect]:
    """Store messages on a local queue that has room for them; the effects are still to be settled.

    `unit` holds them back until it is committed; `kept` messages stay when it is backed out.
    """
    now, number = caller.now, queue.next_sequence
    state, fifo, default_priority = AVAILABLE if unit is None else PUT, bool(queue.fifo), queue.default_priority
    rows: list[StoredMessage] = []
    earliest = queue.earliest_expiry
    for descriptor, body, _ in arrivals:
        ranked = rank(descriptor.priority, fifo=fifo, default_priority=default_priority)
        row = row_of(descriptor, body, now, Place(queue.id, number, state, unit, ranked, int(kept)))
        if row.expires_at is not None and (earliest is None or row.expires_at < earliest):
            earliest = row.expires_at
        rows.append(row)
        number += 1
    messages.insert(tx, rows)
    queues.arrived(tx, queue.id, len(rows), now)
    if earliest is not None and earliest != queue.earliest_expiry:
        queues.expires_no_later(tx, queue.id, earliest)
    if queue.recorded:
        events.append_all(tx, [put_event(caller, queue.name, row, unit) for row in rows])
    return follow_up(tx, caller, queue, rows, arrivals, unit, chain, dead_letter_triggers)


def follow_up(
    tx: Transaction,
    caller: Caller,
    queue: QueueRow,
    rows: Sequence[StoredMessage],
    arrivals: Sequence[Arrival],
    unit: int | None,
    chain: frozenset[str],
    dead_letter_triggers: bool,
) -> list[Effect]:
    """The trigger messages, confirmations and depth events that messages just placed bring about."""
    effects: list[Effect] = []
    for arrival in arrivals:
        if COA.asked_for(arrival.descriptor.report) and not queue.is_transmission:
            effects.append(confirm_arrival(caller, queue.name, arrival, unit))
    if queue.trigger_on and queue.name not in chain:
        ranks = [row.rank for row in rows]
        firsts = [rank for rank, arrival in zip(ranks, arrivals, strict=True) if not arrival.continues]
        effects += occasions.arrived(tx, caller, queue, ranks, firsts, unit, chain, dead_letter_triggers)
    if caller.qmgr.performance_event and (queue.high_event or queue.service_event):
        effects += queue_events.arrived(tx, caller, queue)
    return effects


def row_of(descriptor: MessageDescriptor, body: bytes, now: int, place: Place) -> StoredMessage:
    """The message as it is stored at its place."""
    d = descriptor
    return StoredMessage(
        UNNUMBERED,
        *place,
        None,
        None,
        now,
        None if d.expiry < 0 else expires_at(d.expiry, now),
        len(body),
        d.report,
        d.msg_type,
        d.expiry,
        d.feedback,
        d.encoding,
        d.coded_char_set_id,
        d.format,
        d.priority,
        d.persistence,
        d.msg_id,
        None if d.correl_id == NO_ID else d.correl_id,
        0,
        d.reply_to_q,
        d.reply_to_q_mgr,
        d.user_identifier,
        None if d.accounting_token == NO_TOKEN else d.accounting_token,
        d.appl_identity_data,
        d.put_appl_type,
        d.put_appl_name,
        d.given_put_date,
        d.given_put_time,
        d.appl_origin_data,
        None if d.group_id == NO_ID else d.group_id,
        d.msg_seq_number,
        d.offset,
        d.msg_flags,
        d.original_length,
        body,
    )
