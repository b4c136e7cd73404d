"""A message that was backed out too often, and the reports about it."""

from __future__ import annotations

from mqsc.store.constants import MQRC
from mqsc.store.descriptor import DescribedData
from mqsc.store.engine import backout_queues
from mqsc.store.engine.backout_queues import BackoutSettings, Target
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.message_outcomes import MessageOutcome
from mqsc.store.engine.report_messages import report_exception, report_expired_on_the_way
from mqsc.store.message import Message
from mqsc.store.mqi.state import ConnectionState, HandleState, call_context, read, transaction
from mqsc.store.mqi.syncpoint import joined
from mqsc.store.rules.dead_letter import DeliveryFailure, dead_letter, put_by_program
from mqsc.store.rules.report_message import EXPIRATION
from mqsc.store.sql.rows import QueueRow

REASON = int(MQRC.BACKOUT_THRESHOLD_REACHED)


def input_queue(handle: HandleState) -> QueueRow:
    """The local queue that the handle gets messages from: the base queue of an alias."""
    assert handle.destination is not None
    return handle.destination.queue


def backout_settings(handle: HandleState) -> BackoutSettings:
    """BOTHRESH and BOQNAME of the queue."""
    with read(handle.connection) as (reading, call):
        return backout_queues.backout_settings(reading, call.qmgr, input_queue(handle).name)


def dead_letter_target(handle: HandleState) -> Target:
    """The dead-letter queue for messages of the queue; `owner` is blank if it is that of the
    queue.
    """
    queue = input_queue(handle)
    with read(handle.connection) as (reading, call):
        target = backout_queues.dead_letter_target(reading, call.qmgr, queue.name)
    return target._replace(owner="") if target.owner == queue.owner else target


def as_dead_letter(handle: HandleState, message: Message) -> DescribedData:
    """Descriptor and data of the message for the dead-letter queue: MQDLH with Reason 2362
    (backout J5).
    """
    connection = handle.connection
    call = connection.store.read(call_context, connection)
    failure = DeliveryFailure(REASON, input_queue(handle).name, call.qmgr.name)
    put = put_by_program(connection.application, call.now, call.qmgr.ccsid)
    return dead_letter(message.descriptor, message.body, failure, put)


def put_exception_report(handle: HandleState, message: Message) -> None:
    """Send the exception report with Feedback 2362 in the unit of work (backout J7)."""
    connection, queue = handle.connection, input_queue(handle)
    with transaction(connection) as (tx, call):
        unit = connection.unit.begin()
        effect = report_exception(call, queue.name, message, REASON, unit, queue.owner)
        caused = deliver(tx, call, [effect])
        joined(connection, call, queue, 0, caused, persistent=bool(message.descriptor.persistence))


def note(handle: HandleState, outcome: MessageOutcome) -> None:
    """Have the commit of the unit of work record this about the message just got through
    `handle`.
    """
    handle.connection.unit.outcomes += ((handle.saved_message, outcome),)


def put_expiration_report(
    connection: ConnectionState,
    queue: str,
    message: Message,
    *,
    syncpoint: bool,
) -> bool:
    """Send the expiration report about a message for `queue`, if it asked for one; whether it
    did.
    """
    descriptor = message.descriptor
    if not EXPIRATION.is_requested(descriptor.report) or not descriptor.reply_to_q:
        return False
    put_report_of_channel(connection, queue, message, EXPIRATION.feedback, syncpoint=syncpoint)
    return True


def put_report_of_channel(
    connection: ConnectionState,
    queue: str,
    message: Message,
    feedback: int,
    *,
    syncpoint: bool,
) -> None:
    """Send the expiration report, or the exception report with that Feedback, about a message for
    `queue`.

    With `syncpoint` it belongs to the unit of work.
    """
    persistent = message.descriptor.persistence == 1
    with transaction(connection, durable=persistent and not syncpoint) as (tx, call):
        unit = connection.unit.begin() if syncpoint else None
        if feedback == EXPIRATION.feedback:
            effect = report_expired_on_the_way(call, queue, message, unit)
        else:
            effect = report_exception(call, queue, message, feedback, unit)
        deliver(tx, call, [effect])
        if syncpoint:
            # It is not counted: MAXUMSGS limits the batch, and a report must not make one fail.
            work = connection.unit
            work.durable, work.recorded = work.durable or persistent, True
