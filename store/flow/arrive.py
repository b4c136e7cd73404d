"""Messages arrive on a local queue: rows, counters, history, and the effects that follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from store.database import Transaction
from store.descriptor import NO_ID, NO_TOKEN, MessageDescriptor
from store.flow import occasions, queue_events
from store.flow.caller import Caller
from store.flow.effects import Arrival, Effect
from store.flow.reporting import confirm_arrival
from store.rules.expiry import expires_at
from store.rules.putting import rank
from store.rules.report import COA
from store.schema import AVAILABLE, PUT
from store.sql import events, messages, queues
from store.sql.rows import QueueRow


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
    now, sequence = caller.now, queue.next_sequence
    fifo, default_priority = bool(queue.fifo), queue.default_priority
    rows = []
    earliest = None
    for number, (descriptor, body, _) in enumerate(arrivals):
        row = row_of(descriptor, body, now)
        row["queue"] = queue.id
        row["sequence"] = sequence + number
        row["rank"] = rank(descriptor.priority, fifo=fifo, default_priority=default_priority)
        row["kept_at_backout"] = kept
        if unit is not None:
            row["state"], row["unit"] = PUT, unit
        at = row["expires_at"]
        if at is not None and (earliest is None or at < earliest):
            earliest = at
        rows.append(row)
    if len(rows) == 1:
        messages.insert_one(tx, rows[0])
    else:
        messages.insert_all(tx, rows)
    queues.arrived(tx, queue.id, len(rows), now)
    if earliest is not None and (queue.earliest_expiry is None or earliest < queue.earliest_expiry):
        queues.expires_no_later(tx, queue.id, earliest)
    if queue.recorded:
        record = [put_event(caller, queue.name, row) for row in rows]
        events.append(tx, record[0]) if len(rows) == 1 else events.append_all(tx, record)
    return follow_up(tx, caller, queue, rows, arrivals, unit, chain, dead_letter_triggers)


def follow_up(
    tx: Transaction,
    caller: Caller,
    queue: QueueRow,
    rows: Sequence[dict[str, Any]],
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
        ranks = [row["rank"] for row in rows]
        firsts = [rank for rank, arrival in zip(ranks, arrivals, strict=True) if not arrival.continues]
        effects += occasions.arrived(tx, caller, queue, ranks, firsts, unit, chain, dead_letter_triggers)
    if caller.qmgr.performance_event and (queue.high_event or queue.service_event):
        effects += queue_events.arrived(tx, caller, queue)
    return effects


def row_of(descriptor: MessageDescriptor, body: bytes, now: int) -> dict[str, Any]:
    """The columns of a message that are told by its descriptor and data; available, outside any unit of work."""
    d = descriptor
    return {
        "queue": 0,
        "sequence": 0,
        "state": AVAILABLE,
        "unit": None,
        "rank": 0,
        "kept_at_backout": 0,
        "locked_by": None,
        "marked_until": None,
        "put_at": now,
        "expires_at": None if d.expiry < 0 else expires_at(d.expiry, now),
        "length": len(body),
        "report": d.report,
        "msg_type": d.msg_type,
        "expiry": d.expiry,
        "feedback": d.feedback,
        "encoding": d.encoding,
        "coded_char_set_id": d.coded_char_set_id,
        "format": d.format,
        "priority": d.priority,
        "persistence": d.persistence,
        "msg_id": d.msg_id,
        "correl_id": None if d.correl_id == NO_ID else d.correl_id,
        "backout_count": 0,
        "reply_to_q": d.reply_to_q,
        "reply_to_q_mgr": d.reply_to_q_mgr,
        "user_identifier": d.user_identifier,
        "accounting_token": None if d.accounting_token == NO_TOKEN else d.accounting_token,
        "appl_identity_data": d.appl_identity_data,
        "put_appl_type": d.put_appl_type,
        "put_appl_name": d.put_appl_name,
        "put_date": d.given_put_date,
        "put_time": d.given_put_time,
        "appl_origin_data": d.appl_origin_data,
        "group_id": None if d.group_id == NO_ID else d.group_id,
        "msg_seq_number": d.msg_seq_number,
        "offset": d.offset,
        "msg_flags": d.msg_flags,
        "original_length": d.original_length,
        "body": body,
    }


def put_event(caller: Caller, queue: str, row: dict[str, Any]) -> dict[str, Any]:
    """What the history keeps of a message that was placed."""
    return {
        "at": caller.now,
        "qmgr": caller.qmgr.name,
        "kind": "PUT",
        "cause": None,
        "queue": queue,
        "target": None,
        "msg_id": row["msg_id"],
        "correl_id": row["correl_id"],
        "priority": row["priority"],
        "persistence": row["persistence"],
        "length": row["length"],
        "put_at": row["put_at"],
        "expires_at": row["expires_at"],
        "put_application": row["put_appl_name"],
        "put_user": row["user_identifier"],
        "unit": row["unit"],
        "connection": caller.connection,
        "application": caller.application,
        "user": caller.user,
        "reason": None,
        "rule": None,
        "detail": None,
    }
