"""MQBEGIN, MQCMIT and MQBACK; messages that were backed out too often, and reports on messages that
a channel could not deliver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mqsc.store.constants import MQAT, MQCC, MQRC
from mqsc.store.descriptor import DescribedData
from mqsc.store.engine import backout_queues, closing, dequeue, prepared_units, refusals, units
from mqsc.store.engine.backout_queues import BackoutSettings, Target
from mqsc.store.engine.channel_event import ChannelEvent, note as channel_event_note
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.dequeue import MessageOutcome
from mqsc.store.engine.report_messages import report_exception, report_expired_on_the_way
from mqsc.store.engine.state import CallContext
from mqsc.store.error import MQError, refuse_if
from mqsc.store.message import Message
from mqsc.store.mqi import message_choice
from mqsc.store.mqi.state import (
    ConnectionState,
    HandleState,
    UnitOfWork,
    call_context,
    read,
    transaction,
)
from mqsc.store.rules.dead_letter import DeadLetterPut, DeliveryFailure, dead_letter
from mqsc.store.rules.report_message import EXPIRATION
from mqsc.store.sql import connections
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Transaction


def begin(connection: ConnectionState) -> int:
    """Start a unit of work; MQError 2128 when one is open. Returns 2121: there is no other
    resource manager.
    """
    refuse_if(connection.unit.is_open, MQRC.UOW_IN_PROGRESS)
    with Transaction(connection.store.database, durable=False) as tx:
        call_context(tx, connection)
    connection.unit.begin()
    return MQRC.NO_EXTERNAL_PARTICIPANTS


def may_join(connection: ConnectionState, call: CallContext, count: int) -> None:
    """MQError 2024 when `count` more messages in the unit of work would exceed MAXUMSGS."""
    if (
        connection.unit.count + count > call.qmgr.max_uncommitted
        and not connection.is_command_server
    ):
        raise MQError(MQRC.SYNCPOINT_LIMIT_REACHED)


def joined(
    connection: ConnectionState,
    call: CallContext,
    queue: QueueRow,
    count: int,
    caused: int,
    *,
    persistent: bool,
) -> None:
    """Count the messages that joined the unit of work, and note whether its end must be synced and
    recorded.

    `count` put or got, and the trigger and report messages that were `caused`, so MAXUMSGS may be
    exceeded only now: MQError 2024.
    """
    if caused:
        may_join(connection, call, count + caused)
    unit = connection.unit
    unit.count += count + caused
    # A message that was caused, or a copy, may be on a shared queue even if the queue itself is not
    # shared.
    if queue.structure or (call.qmgr.sharing_group and (caused or queue.stream_queue)):
        unit.on_shared = True
    unit.durable = unit.durable or persistent
    # A stream queue may be recorded even if the queue itself is not.
    unit.recorded = unit.recorded or bool(queue.recorded or queue.stream_queue)


def commit(
    connection: ConnectionState,
    outcome: MessageOutcome | None = None,
    noted: Sequence[ChannelEvent] = (),
) -> None:
    """Commit the open unit of work, if any (mqi-semantics §6), and append the events `noted` in any
    case.

    MQError 1/2003 when an asynchronous put in it failed: it is backed out instead.
    """
    unit = connection.unit
    if unit.misses_put:
        back(connection)
        raise MQError(MQRC.BACKED_OUT, completion=MQCC.WARNING)
    with Transaction(connection.store.database, durable=unit.durable) as tx:
        call = call_context(tx, connection)
        if unit.is_open:
            if outcome is not None:
                dequeue.account_for(tx, call, unit.number, outcome)
            _commit(tx, call, unit)
        if noted:
            channel_event_note(tx, call, noted, unit.number or None)
    connection.has_commands = connection.has_commands or unit.commands
    unit.reset()


def prepare(connection: ConnectionState, name: str, luwid: str) -> bool:
    """Put the open unit of work in doubt: it leaves the connection, and is kept until it is
    resolved.

    False when there was nothing to keep. MQError 2354 while a message is marked to skip backout,
    which a unit in doubt cannot do; 2100 when a unit is in doubt under that name and identifier.
    """
    unit = connection.unit
    refuse_if(unit.marked, MQRC.UOW_ENLISTMENT_ERROR, name)
    with transaction(connection, durable=True) as (tx, call):
        kept = unit.is_open and prepared_units.prepare(
            tx,
            call,
            unit.number,
            name,
            luwid,
            unit.outcomes,
            recorded=unit.recorded,
        )
    connection.has_prepared_commands = connection.has_prepared_commands or unit.commands
    unit.reset()
    return kept


def resolve(
    connection: ConnectionState,
    name: str,
    luwid: str,
    *,
    commit: bool,
    noted: Sequence[ChannelEvent] = (),
) -> None:
    """Commit or back out a unit in doubt, and append the events `noted`; MQError 2255 when there is
    none.

    The connection's own unit of work is another one, and stays open.
    """
    with transaction(connection, durable=True) as (tx, call):
        unit = prepared_units.resolve_prepared(tx, call, name, luwid, commit=commit)
        channel_event_note(tx, call, noted, unit)
    if commit and connection.has_prepared_commands:
        connection.has_commands, connection.has_prepared_commands = True, False


def _commit(tx: Transaction, call: CallContext, unit: UnitOfWork) -> None:
    if unit.outcomes:
        dequeue.account_for_some(tx, call, unit.number, unit.outcomes)
    units.commit_unit(tx, call, unit.number, recorded=unit.recorded, on_shared=unit.on_shared)


def back(connection: ConnectionState, kept: Mapping[str, object] | None = None) -> None:
    """Back out the open unit of work at the application's request.

    `kept` describes the poison message because of which a consumer backs out: the history has it.

    A message got with MQGMO_MARK_SKIP_BACKOUT does not return: it becomes the first member of a new
    unit of work (backout K10).
    """
    unit = connection.unit
    marked = unit.marked
    with transaction(connection, durable=unit.durable) as (tx, call):
        if not unit.is_open:
            unit.misses_put = False
            return
        cause = "application" if kept is None else "poison"
        units.back_out(
            tx,
            call,
            unit.number,
            cause,
            skipping=marked,
            carried_to=unit.serial + 1,
            kept=kept,
        )
    message_choice.restore(connection)
    durable, recorded = unit.durable, unit.recorded
    unit.reset()
    if marked:
        unit.begin()
        unit.count = 1
        unit.durable = durable
        unit.recorded = recorded


def disconnect(connection: ConnectionState) -> None:
    """Close all handles, commit the open unit of work and forget the connection.

    A unit in which an asynchronous put failed is backed out.
    """
    unit = connection.unit
    if unit.misses_put:
        back(connection)
    with transaction(connection, durable=unit.durable) as (tx, call):
        effects = []
        for row in connections.handles_of_connection(tx, connection.number):
            effects += closing.close(tx, call, row)
        if unit.is_open:
            _commit(tx, call, unit)
        deliver(tx, call, effects)
        connections.drop(tx, connection.number)
        if connection.store.refusals:
            refusals.flush(tx, connection.store)
        closing.complete_quiesce(tx, call)
    connection.has_commands = connection.has_commands or unit.commands
    unit.reset()


def abend(connection: ConnectionState) -> None:
    """End like a dead program: back out the unit of work, then close the handles (triggering
    T41).
    """
    with transaction(connection, durable=connection.unit.durable) as (tx, call):
        closing.end_connection(tx, call, connection.number)
    connection.unit.reset()


# For a consumer, beside MQGET and MQPUT1: how to deal with a message that was backed out too often.

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
    put = DeadLetterPut(MQAT.UNIX, connection.application[:28], call.now, call.qmgr.ccsid)
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


# The reports that a message channel agent sends about messages that it cannot deliver (channels
# Ch4).


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
