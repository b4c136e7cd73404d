"""Taking messages from a queue, and discarding expired ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from mqsc.store.engine import depth
from mqsc.store.engine.effects import Effect
from mqsc.store.engine.history import cause_of, member_of, message_event
from mqsc.store.engine.report_messages import confirm_delivery, report_expiry
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.stored_message import descriptor_of
from mqsc.store.rules.report_message import COD, EXPIRATION, without_transmission_header
from mqsc.store.sql import history, messages
from mqsc.store.sql.rows import QueueRow, StoredMessage
from mqsc.store.sql.selection import Expired
from mqsc.store.sqlite.database import Transaction


def dequeue(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    stored_message: StoredMessage,
    unit: int | None,
    *,
    marked: bool = False,
) -> list[Effect]:
    """A destructive get: remove the message, or reserve it for `unit`; COD report and queue events
    follow.

    `marked`: it skips the backout of `unit`.
    """
    before = depth.before_get(tx, call, queue)
    if unit is not None:
        messages.reserve(tx, stored_message.id, unit)
    if queue.recorded:
        member = member_of(call, queue.owner)
        history.record_get(
            tx, cause_of(call, queue), stored_message.id, member=member, marked=marked
        )
    if unit is None:
        messages.remove(tx, stored_message.id)
    depth_events = depth.got(tx, call, queue, stored_message.put_at, before)
    if stored_message.report and COD.is_requested(stored_message.report):
        return confirm_delivery(call, queue, stored_message, unit) + depth_events
    return depth_events


def dequeue_all(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    stored_messages: Sequence[StoredMessage],
    unit: int | None,
) -> None:
    """Destructive gets of messages in order that cause neither reports nor events of the queue."""
    ranges = messages.ranges_of([each.id for each in stored_messages])
    if unit is not None:
        messages.reserve_ranges(tx, ranges, unit)
    if queue.recorded:
        history.record_ranges(tx, cause_of(call, queue), "GET", None, ranges, "")
    if unit is None:
        messages.remove_ranges(tx, ranges)
    depth.got_all(tx, call, queue, [each.put_at for each in stored_messages])


def expire(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    expired: Sequence[StoredMessage],
    cause: str,
) -> list[Effect]:
    """Discard expired messages, outside any unit of work; the reports they asked for follow
    (expiry A3, A4).
    """
    effects: list[Effect] = []
    rows = []
    for head in expired:
        whole = messages.by_id(tx, head.id) if _needs_data(queue, head.report) else None
        effect = None if whole is None else report_expiry(call, queue, whole)
        detail: dict[str, object] = {} if whole is None else _as_sent(call, whole)
        if effect is not None:
            effects.append(effect)
            detail["report"] = effect.detail["data"]
        rows.append(
            message_event(
                call,
                "EXPIRE",
                queue.name,
                head,
                cause=cause,
                detail=detail,
                owner=queue.owner,
            ),
        )
    messages.remove_all(tx, [message.id for message in expired])
    history.append_all(tx, rows)
    return effects + depth.removed(tx, call, queue.id, len(expired))


def expire_in_order(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    expired: Sequence[Expired],
    cause: str,
) -> list[Effect]:
    """Discard expired messages in order; neighbours whose data is not needed go with one
    statement.
    """
    effects: list[Effect] = []
    for needed, together in groupby(expired, lambda each: _needs_data(queue, each.report)):
        ids = [each.id for each in together]
        if needed:
            effects += expire(tx, call, queue, messages.without_body(tx, ids), cause)
        else:
            ranges, member = messages.ranges_of(ids), member_of(call, queue.owner)
            history.record_ranges(tx, cause_of(call, queue), "EXPIRE", cause, ranges, member)
            messages.remove_ranges(tx, ranges)
            effects += depth.removed(tx, call, queue.id, len(ids))
    return effects


def _needs_data(queue: QueueRow, report: int) -> bool:
    """Whether the discard of a message needs its data: for the report, or for the header on a
    transmission queue.
    """
    return bool(queue.is_transmission) or EXPIRATION.is_requested(report)


def _as_sent(call: CallContext, message: StoredMessage) -> dict[str, object]:
    """Who put a message that is behind a transmission header, and the length of its data; the row
    has the outer ones.

    Empty for other messages.
    """
    outer = descriptor_of(message, call.now)
    sent, body = without_transmission_header(outer, message.body)
    return {} if sent is outer else {"application": sent.put_appl_name, "length": len(body)}
