"""Report messages, and the queues for messages that were backed out too often."""

from typing import NamedTuple

from mqsc.store.catalog import KINDS
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine import name_resolution
from mqsc.store.engine.definitions import complete
from mqsc.store.engine.effects import REPORT, Arrival, Deliver
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.stored_message import descriptor_of
from mqsc.store.message import Message
from mqsc.store.rules import report_message as rules
from mqsc.store.rules.expiry import remaining
from mqsc.store.rules.poison_message import LEADS_BACK, NOT_NAMED
from mqsc.store.rules.report_message import (
    COA,
    COD,
    EXCEPTION,
    EXPIRATION,
    ReportKind,
    without_transmission_header,
)
from mqsc.store.sql import objects
from mqsc.store.sql.rows import ManagerRow, QueueRow, StoredMessage
from mqsc.store.sqlite.database import Queries

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
    asked = original.descriptor
    made, data = rules.report_message(
        kind,
        asked,
        original.body,
        call.maker(),
        remaining=original.left,
        feedback=feedback,
    )
    return Deliver(
        REPORT,
        asked.reply_to_q,
        asked.reply_to_q_mgr,
        made,
        data,
        cause=kind.name.lower(),
        about=original.queue,
        unit=unit,
        reason=made.feedback,
        owner=original.owner if original.owner != call.qmgr.name else "",
        detail={"original": asked.msg_id.hex(), "data": _AMOUNT[kind.data_requested(asked.report)]},
    )


# Where messages go that were backed out too often, as the definitions say now: BOTHRESH, BOQNAME
# and DEADQ.

_QLOCAL = KINDS["QLOCAL"]


class Target(NamedTuple):
    """A queue for such messages. `fault` is NOT_NAMED or LEADS_BACK when no put to it may be tried,
    else 0.

    `owner` is that of the local queue to which it leads; blank if there is none.
    """

    queue: str
    fault: int
    owner: str = ""


class BackoutSettings(NamedTuple):
    """BOTHRESH and BOQNAME of a local queue."""

    threshold: int
    backout_queue: Target


def backout_settings(tx: Queries, qmgr: ManagerRow, queue: str) -> BackoutSettings:
    """The settings of the local queue. A BOQNAME that leads back to it, directly or not, is of
    no use (poison B42).
    """
    threshold, named = _attributes(tx, qmgr, queue)
    return BackoutSettings(
        threshold,
        Target(named, _leads_back(tx, qmgr, queue, named) if named else NOT_NAMED),
    )


def dead_letter_target(tx: Queries, qmgr: ManagerRow, queue: str) -> Target:
    """The dead-letter queue for messages of a local queue, which cannot be that queue itself."""
    named = qmgr.dead_letter_queue
    if not named:
        return Target("", NOT_NAMED)
    local, owner = _local_queue(tx, qmgr, named)
    return Target(named, LEADS_BACK if local == queue else 0, owner)


def _leads_back(tx: Queries, qmgr: ManagerRow, queue: str, named: str) -> int:
    passed: set[str] = set()
    while named:
        local, _ = _local_queue(tx, qmgr, named)
        if local == queue:
            return LEADS_BACK
        if not local or local in passed:
            return 0
        passed.add(local)
        _, named = _attributes(tx, qmgr, local)
    return 0


def _local_queue(tx: Queries, qmgr: ManagerRow, name: str) -> tuple[str, str]:
    """The local queue that is the final destination of a put to `name`, and its owner; blank
    when there is none.
    """
    _, found = name_resolution.destination(tx, qmgr, name, "")
    return ("", "") if found is None or found.is_remote else (found.queue.name, found.queue.owner)


def _attributes(tx: Queries, qmgr: ManagerRow, queue: str) -> tuple[int, str]:
    """BOTHRESH and BOQNAME; (0, blank) for a queue that has been deleted."""
    found = objects.by_name(tx, qmgr.name, _QLOCAL.namespace, queue)
    if found is None and qmgr.sharing_group:
        found = objects.by_name(tx, qmgr.sharing_group, _QLOCAL.namespace, queue)
    if found is None:
        return 0, ""
    attributes = complete(_QLOCAL, found.attributes)
    return int(str(attributes["BOTHRESH"])), str(attributes["BOQNAME"])
