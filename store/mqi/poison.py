"""What a consumer needs beside MQGET and MQPUT1 to deal with a message that was backed out too often."""

from __future__ import annotations

from store.constants import MQAT, MQRC
from store.descriptor import MessageDescriptor
from store.engine import poison
from store.engine.deliver import deliver
from store.engine.message_outcome import MessageOutcome
from store.engine.poison import BackoutSettings, Target
from store.engine.report_messages import report_exception
from store.message import Message
from store.mqi.revalidate import call_context, read, transaction
from store.mqi.state import HandleState
from store.mqi.syncpoint import joined
from store.rules.dead_letter import DeliveryFailure, dead_letter
from store.sql.rows import QueueRow
from store.sqlite.database import Reading

REASON = int(MQRC.BACKOUT_THRESHOLD_REACHED)


def input_queue(handle: HandleState) -> QueueRow:
    """The local queue that the handle gets messages from: the base queue of an alias."""
    assert handle.destination is not None
    return handle.destination.queue


def backout_settings(handle: HandleState) -> BackoutSettings:
    """BOTHRESH and BOQNAME of the queue."""
    with read(handle.connection) as (reading, call):
        return poison.backout_settings(reading, call.qmgr, input_queue(handle).name)


def dead_letter_target(handle: HandleState) -> Target:
    """The dead-letter queue for messages of the queue; `owner` is blank if it is that of the queue."""
    queue = input_queue(handle)
    with read(handle.connection) as (reading, call):
        target = poison.dead_letter_target(reading, call.qmgr, queue.name)
    return target._replace(owner="") if target.owner == queue.owner else target


def as_dead_letter(handle: HandleState, message: Message) -> tuple[MessageDescriptor, bytes]:
    """Descriptor and data of the message for the dead-letter queue: MQDLH with Reason 2362 (backout J5)."""
    connection = handle.connection
    with Reading(connection.store.database) as reading:
        call = call_context(reading, connection)
    return dead_letter(
        message.descriptor,
        message.body,
        DeliveryFailure(REASON, input_queue(handle).name, call.qmgr.name),
        put_appl_type=MQAT.UNIX,
        put_appl_name=connection.application[:28],
        now=call.now,
        coded_char_set_id=call.qmgr.ccsid,
    )


def put_exception_report(handle: HandleState, message: Message) -> None:
    """Send the exception report with Feedback 2362 in the unit of work (backout J7)."""
    connection, queue = handle.connection, input_queue(handle)
    with transaction(connection) as (tx, call):
        unit = connection.unit.begin()
        effect = report_exception(call, queue.name, message, REASON, unit, queue.owner)
        caused = deliver(tx, call, [effect])
        joined(connection, call, queue, 0, caused, persistent=bool(message.descriptor.persistence))


def note(handle: HandleState, outcome: MessageOutcome) -> None:
    """Have the commit of the unit of work record this about the message just got through `handle`."""
    handle.connection.unit.outcomes += ((handle.saved_message, outcome),)
