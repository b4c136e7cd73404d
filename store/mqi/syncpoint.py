"""MQBEGIN, MQCMIT and MQBACK, and the end of a connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mqsc.store.constants import MQCC, MQRC
from mqsc.store.engine import closing, message_outcomes, prepared_units, refusals, units
from mqsc.store.engine.channel_event import ChannelEvent, note as channel_event_note
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.message_outcomes import MessageOutcome
from mqsc.store.engine.state import CallContext
from mqsc.store.error import MQError, refuse_if
from mqsc.store.mqi import group_position
from mqsc.store.mqi.state import ConnectionState, UnitOfWork, call_context, transaction
from mqsc.store.rules import admission
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


def lacks_room(error: Exception) -> bool:
    """Whether a call failed for want of room, which uncommitted messages of dead programs may take
    up: they are recovered before a queue is called full.
    """
    reasons = (admission.Q_FULL, MQRC.SYNCPOINT_LIMIT_REACHED)
    return isinstance(error, MQError) and error.reason in reasons


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
                message_outcomes.account_for(tx, call, unit.number, outcome)
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
        message_outcomes.account_for_some(tx, call, unit.number, unit.outcomes)
    units.commit_unit(
        tx,
        call,
        unit.number,
        recorded=unit.recorded,
        on_shared=unit.on_shared,
        retains=unit.retains,
    )


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
    group_position.restore(connection)
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
            effects += closing.close(tx, call, row, cause="disconnect")
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
