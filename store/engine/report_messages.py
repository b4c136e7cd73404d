"""Reports that the queue manager generates: COA, COD, expiration and exception (mqi-semantics §9)."""

from __future__ import annotations

from store.descriptor import MessageDescriptor
from store.engine.call_context import CallContext
from store.engine.effects import REPORT, Arrival, Deliver
from store.engine.stored_descriptor import descriptor_of
from store.message import Message
from store.rules.expiry import remaining
from store.rules.report_message import (
    COA,
    COD,
    EXCEPTION,
    EXPIRATION,
    ReportKind,
    report_message,
    without_transmission_header,
)
from store.sql.rows import QueueRow, StoredMessage

DEAD_LETTER = "MQDEAD"
# The history's words for the amount of data in a report.
_AMOUNT = {"none": "plain", "some": "data", "full": "full"}


def confirm_arrival(call: CallContext, queue: QueueRow, arrival: Arrival, unit: int | None) -> Deliver:
    """The COA report, in the putter's unit of work."""
    descriptor = arrival.descriptor
    return _report(call, queue.name, COA, descriptor, arrival.body, descriptor.expiry, unit, owner=queue.owner)


def confirm_move(call: CallContext, queue: QueueRow, message: StoredMessage) -> Deliver:
    """The COA report of a message that MOVE QLOCAL brought, which may have expired; outside any unit of work."""
    left = remaining(message.expiry, message.put_at, call.now)
    descriptor = descriptor_of(message, call.now)
    return _report(call, queue.name, COA, descriptor, message.body, left, None, owner=queue.owner)


def confirm_delivery(call: CallContext, queue: QueueRow, message: StoredMessage, unit: int | None) -> list[Deliver]:
    """The COD report, in the getter's unit of work; none for a message taken off a dead-letter queue."""
    if message.format == DEAD_LETTER:
        return []
    left = remaining(message.expiry, message.put_at, call.now)
    descriptor = descriptor_of(message, call.now)
    return [_report(call, queue.name, COD, descriptor, message.body, left, unit, owner=queue.owner)]


def report_expiry(call: CallContext, queue: QueueRow, message: StoredMessage) -> Deliver | None:
    """The expiration report that a discarded message asked for, outside any unit of work; None if it asked for none.

    A message on a transmission queue is reported by its embedded descriptor, as its sender knows it (expiry A4).
    """
    descriptor, body = without_transmission_header(descriptor_of(message, call.now), message.body)
    if not EXPIRATION.is_requested(descriptor.report) or not descriptor.reply_to_q:
        return None
    left = remaining(message.expiry, message.put_at, call.now)
    return _report(call, queue.name, EXPIRATION, descriptor, body, left, None, owner=queue.owner)


def report_exception(
    call: CallContext, queue: str, message: Message, reason: int, unit: int | None, owner: str = ""
) -> Deliver:
    """The exception report about a message that its getter cannot process, in the getter's unit of work (backout J7).

    `owner` is the group of a shared queue.
    """
    descriptor = message.descriptor
    return _report(call, queue, EXCEPTION, descriptor, message.body, descriptor.expiry, unit, reason, owner)


def report_expired_on_the_way(call: CallContext, queue: str, message: Message, unit: int | None) -> Deliver:
    """The expiration report about a message that a channel brought too late, in its unit of work."""
    return _report(call, queue, EXPIRATION, message.descriptor, message.body, 0, unit)


def _report(
    call: CallContext,
    queue: str,
    kind: ReportKind,
    original: MessageDescriptor,
    body: bytes,
    left: int,
    unit: int | None,
    feedback: int = 0,
    owner: str = "",
) -> Deliver:
    made, data = report_message(kind, original, body, call.maker(), remaining=left, feedback=feedback)
    return Deliver(
        REPORT,
        original.reply_to_q,
        original.reply_to_q_mgr,
        made,
        data,
        cause=kind.name.lower(),
        about=queue,
        unit=unit,
        reason=made.feedback,
        owner=owner if owner != call.qmgr.name else "",
        detail={"original": original.msg_id.hex(), "data": _AMOUNT[kind.data_requested(original.report)]},
    )
