"""Report messages."""

from typing import NamedTuple

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.effects import REPORT, Arrival, Deliver
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.stored_message import descriptor_of
from mqsc.store.message import Message
from mqsc.store.rules import report_message as rules
from mqsc.store.rules.expiry import remaining
from mqsc.store.rules.report_message import (
    COA,
    COD,
    EXCEPTION,
    EXPIRATION,
    ReportKind,
    without_transmission_header,
)
from mqsc.store.sql.rows import QueueRow, StoredMessage

DEAD_LETTER = "MQDEAD"
# The history's words for the amount of data in a report.
_AMOUNT = {"none": "plain", "some": "data", "full": "full"}


class _Original(NamedTuple):
    """The message that a report is about, with its remaining Expiry, and the queue that it was
    on with its owner.
    """

    descriptor: MessageDescriptor
    body: bytes
    left: int
    queue: str
    owner: str = ""


def confirm_arrival(
    call: CallContext,
    queue: QueueRow,
    arrival: Arrival,
    unit: int | None,
) -> Deliver:
    """The COA report, in the putter's unit of work."""
    descriptor = arrival.descriptor
    return _report(
        call,
        COA,
        _Original(descriptor, arrival.body, descriptor.expiry, queue.name, queue.owner),
        unit,
    )


def confirm_move(call: CallContext, queue: QueueRow, message: StoredMessage) -> Deliver:
    """The COA report of a message that MOVE QLOCAL brought, which may have expired; outside any
    unit of work.
    """
    return _report(call, COA, _stored(call, queue, message), None)


def confirm_delivery(
    call: CallContext,
    queue: QueueRow,
    message: StoredMessage,
    unit: int | None,
) -> list[Deliver]:
    """The COD report, in the getter's unit of work; none for a message taken off a dead-letter
    queue.
    """
    return (
        []
        if message.format == DEAD_LETTER
        else [_report(call, COD, _stored(call, queue, message), unit)]
    )


def report_expiry(call: CallContext, queue: QueueRow, message: StoredMessage) -> Deliver | None:
    """The expiration report that a discarded message asked for, outside any unit of work; None if
    it asked for none.

    A message on a transmission queue is reported by its embedded descriptor, as its sender knows it
    (expiry A4).
    """
    stored = _stored(call, queue, message)
    descriptor, body = without_transmission_header(stored.descriptor, stored.body)
    if not EXPIRATION.is_requested(descriptor.report) or not descriptor.reply_to_q:
        return None
    return _report(call, EXPIRATION, stored._replace(descriptor=descriptor, body=body), None)


def report_exception(
    call: CallContext,
    queue: str,
    message: Message,
    reason: int,
    unit: int | None,
    owner: str = "",
) -> Deliver:
    """The exception report about a message that its getter cannot process, in the getter's unit of
    work (backout J7).

    `owner` is the group of a shared queue.
    """
    descriptor = message.descriptor
    return _report(
        call,
        EXCEPTION,
        _Original(descriptor, message.body, descriptor.expiry, queue, owner),
        unit,
        reason,
    )


def report_expired_on_the_way(
    call: CallContext,
    queue: str,
    message: Message,
    unit: int | None,
) -> Deliver:
    """The expiration report about a message that a channel brought too late, in its unit of
    work.
    """
    return _report(call, EXPIRATION, _Original(message.descriptor, message.body, 0, queue), unit)


def _stored(call: CallContext, queue: QueueRow, message: StoredMessage) -> _Original:
    left = remaining(message.expiry, message.put_at, call.now)
    return _Original(descriptor_of(message, call.now), message.body, left, queue.name, queue.owner)


def _report(
    call: CallContext,
    kind: ReportKind,
    original: _Original,
    unit: int | None,
    feedback: int = 0,
) -> Deliver:
    descriptor = original.descriptor
    report_descriptor, data = rules.report_message(
        kind,
        descriptor,
        original.body,
        call.maker(),
        remaining=original.left,
        feedback=feedback,
    )
    return Deliver(
        REPORT,
        descriptor.reply_to_q,
        descriptor.reply_to_q_mgr,
        report_descriptor,
        data,
        cause=kind.name.lower(),
        about=original.queue,
        unit=unit,
        reason=report_descriptor.feedback,
        owner=original.owner if original.owner != call.qmgr.name else "",
        detail={
            "original": descriptor.msg_id.hex(),
            "data": _AMOUNT[kind.data_requested(descriptor.report)],
        },
    )
