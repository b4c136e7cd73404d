"""Messages leave a queue, got or expired: their history and their reports."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby

from store.engine import depth
from store.engine.call_context import CallContext
from store.engine.effects import Effect
from store.engine.history import cause_of, member_of, message_event
from store.engine.message_outcome import MessageOutcome
from store.engine.report_messages import confirm_delivery, report_expiry
from store.engine.stored_descriptor import descriptor_of
from store.rules.report_message import COD, EXPIRATION, without_transmission_header
from store.sql import expiry, history, messages, queues, units_of_work
from store.sql.messages import Expired
from store.sql.rows import QueueRow, StoredMessage
from store.sqlite.database import Transaction


def dequeue(
    tx: Transaction, call: CallContext, queue: QueueRow, found: StoredMessage, unit: int | None, *, marked: bool = False
) -> list[Effect]:
    """A destructive get: remove the message, or reserve it for `unit`; COD report and queue events follow.

    `marked`: it skips the backout of `unit`.
    """
    before = depth.before_get(tx, call, queue)
    if unit is not None:
        messages.reserve(tx, found.id, unit)
    if queue.recorded:
        member = member_of(call, queue.owner)
        history.record_get(tx, cause_of(call, queue), found.id, member=member, marked=marked)
    if unit is None:
        messages.remove(tx, found.id)
    depth_events = depth.got(tx, call, queue, found.put_at, before)
    if found.report and COD.is_requested(found.report):
        return confirm_delivery(call, queue, found, unit) + depth_events
    return depth_events


def account_for(tx: Transaction, call: CallContext, unit: int, outcome: MessageOutcome) -> None:
    """Record the outcome of every message that `unit` got."""
    for message in units_of_work.got(tx, unit):
        _account_for(tx, call, unit, message, outcome)


def account_for_some(
    tx: Transaction, call: CallContext, unit: int, outcomes: Sequence[tuple[int, MessageOutcome]]
) -> None:
    """Record the outcomes of single messages that `unit` got, by their numbers."""
    for id, outcome in outcomes:
        message = messages.by_id(tx, id)
        # A message may have been deleted with its dynamic queue, and its number used again.
        if message is not None and message.unit == unit:
            _account_for(tx, call, unit, message, outcome)


def _account_for(
    tx: Transaction, call: CallContext, unit: int, message: StoredMessage, outcome: MessageOutcome
) -> None:
    kind, columns = outcome.event()
    name, owner = queues.name_and_owner(tx, message.queue)
    event = message_event(call, kind, name, message, detail=columns.pop("detail"), owner=owner)
    history.append(tx, event._replace(unit=unit, **columns))


def expire(
    tx: Transaction, call: CallContext, queue: QueueRow, expired: Sequence[StoredMessage], cause: str
) -> list[Effect]:
    """Discard expired messages, outside any unit of work; the reports they asked for follow (expiry A3, A4)."""
    effects: list[Effect] = []
    rows = []
    for head in expired:
        whole = messages.by_id(tx, head.id) if _needs_data(queue, head.report) else None
        effect = None if whole is None else report_expiry(call, queue, whole)
        detail: dict[str, object] = {} if whole is None else _as_sent(call, whole)
        if effect is not None:
            effects.append(effect)
            detail["report"] = effect.detail["data"]
        text = json.dumps(detail, ensure_ascii=False) if detail else None
        rows.append(message_event(call, "EXPIRE", queue.name, head, cause=cause, detail=text, owner=queue.owner))
    messages.remove_all(tx, [message.id for message in expired])
    history.append_all(tx, rows)
    return effects + depth.removed(tx, call, queue.id, len(expired))


def expire_in_order(
    tx: Transaction, call: CallContext, queue: QueueRow, expired: Sequence[Expired], cause: str
) -> list[Effect]:
    """Discard expired messages in order; neighbours whose data is not needed go with one statement."""
    effects: list[Effect] = []
    for needed, together in groupby(expired, lambda each: _needs_data(queue, each.report)):
        ids = [each.id for each in together]
        if needed:
            effects += expire(tx, call, queue, messages.without_body(tx, ids), cause)
        else:
            expiry.discard(tx, cause_of(call, queue), cause, ids, member=member_of(call, queue.owner))
            effects += depth.removed(tx, call, queue.id, len(ids))
    return effects


def _needs_data(queue: QueueRow, report: int) -> bool:
    """Whether the discard of a message needs its data: for the report, or for the header on a transmission queue."""
    return bool(queue.is_transmission) or EXPIRATION.is_requested(report)


def _needed(tx: Transaction, queue: QueueRow, head: StoredMessage) -> StoredMessage | None:
    """The message with its data if that is needed, else None."""
    return messages.by_id(tx, head.id) if _needs_data(queue, head.report) else None


def _as_sent(call: CallContext, message: StoredMessage) -> dict[str, object]:
    """Who put a message that is behind a transmission header, and the length of its data; the row has the outer ones.

    Empty for other messages.
    """
    outer = descriptor_of(message, call.now)
    sent, body = without_transmission_header(outer, message.body)
    return {} if sent is outer else {"application": sent.put_appl_name, "length": len(body)}
