"""MQPUT: validate, place, record, settle what follows; one message or a list, all or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from store.database import Transaction
from store.descriptor import NO_ID, Message, MessageDescriptor, PutMessageOptions
from store.error import MQError
from store.flow import arrive, queue_events
from store.flow.caller import Caller
from store.flow.effects import Arrival
from store.flow.resolve import Destination
from store.flow.settle import settle
from store.mqi.facts import facts
from store.mqi.identity import in_context, new_identifier
from store.mqi.unit import joined, unit_for
from store.rules import opening, putting
from store.rules.expiry import capped, transmission_fault
from store.sql import queues
from store.sql.rows import QueueRow

if TYPE_CHECKING:
    from store.handle import ObjectHandle

NOT_OPEN_FOR_OUTPUT, HOBJ_ERROR = 2039, 2019
PUT_INHIBITED, Q_FULL, MSG_TOO_BIG_FOR_Q, MSG_TOO_BIG_FOR_Q_MGR = 2051, 2053, 2030, 2031
SYNCPOINT_LIMIT_REACHED, PERSISTENT_NOT_ALLOWED = 2024, 2048
TEMPORARY_DYNAMIC = 3


def put(handle: ObjectHandle, given: Sequence[Message], options: PutMessageOptions) -> list[MessageDescriptor]:
    """Put messages through an open handle; their descriptors as placed.

    MQError in the order of mqi-semantics §12; nothing is stored when any message is refused.
    """
    if not handle.is_open:
        raise MQError(HOBJ_ERROR)
    if not handle.options & opening.OUTPUT:
        raise MQError(NOT_OPEN_FOR_OUTPUT, handle.name)
    asked = int(options.options)
    fault = putting.options_fault(asked, put1=False) or putting.context_fault(asked, handle.options)
    if fault:
        raise MQError(fault, handle.name)
    return put_through(handle, given, options, asked)


def put_through(
    handle: ObjectHandle, given: Sequence[Message], options: PutMessageOptions, asked: int
) -> list[MessageDescriptor]:
    """Put through a handle whose options allow it; the warning 2049 is noted on the messages given."""
    while True:
        try:
            return _put(handle, given, options, asked)
        except MQError as error:
            # A dead program's uncommitted messages take room: they are backed out before the queue counts as full.
            if error.reason not in (Q_FULL, SYNCPOINT_LIMIT_REACHED) or not handle.connection.store.recover():
                raise


def _put(
    handle: ObjectHandle, given: Sequence[Message], options: PutMessageOptions, asked: int
) -> list[MessageDescriptor]:
    connection = handle.connection
    in_unit = bool(asked & putting.SYNCPOINT)
    durable = not in_unit and _expects_persistent(handle, given)
    failure: MQError | None = None
    with Transaction(connection.store.database, durable=durable) as tx:
        caller, destination = facts(tx, handle, asked & putting.FAIL_IF_QUIESCING)
        placed = prepare(tx, caller, handle, destination, given, options)
        arrivals = [
            destination.wrapped(caller, Arrival(each, message.body))
            for each, message in zip(placed, given, strict=True)
        ]
        failure = room_fault(caller, destination, arrivals)
        if failure is None:
            unit = unit_for(connection, caller, len(arrivals)) if in_unit else None
            effects = arrive.place(tx, caller, destination.queue, arrivals, unit=unit)
            caused = settle(tx, caller, effects) if effects else 0
            persistent = any(each.descriptor.persistence for each in arrivals)
            if in_unit:
                joined(connection, destination.queue, len(arrivals) + caused, persistent=persistent)
            else:
                tx.needs_sync = persistent
        else:
            settle(tx, caller, queue_events.put_refused(tx, caller, handle.name, destination, int(failure.reason)))
    if failure is not None:
        raise failure
    for message, descriptor in zip(given, placed, strict=True):
        exceeds = descriptor.priority > putting.HIGHEST_PRIORITY
        message.completion, message.reason = (1, putting.PRIORITY_EXCEEDS_MAXIMUM) if exceeds else (0, 0)
    return placed


def _expects_persistent(handle: ObjectHandle, given: Sequence[Message]) -> bool:
    for message in given:
        persistence = message.descriptor.persistence
        if persistence == 1 or (persistence == putting.AS_Q_DEF_PERSISTENCE and handle.expects_persistent):
            return True
    return False


def prepare(
    tx: Transaction,
    caller: Caller,
    handle: ObjectHandle,
    destination: Destination,
    given: Sequence[Message],
    options: PutMessageOptions,
) -> list[MessageDescriptor]:
    """The descriptors as they will be stored; MQError with the index of the first message that is refused."""
    prepared = []
    for index, message in enumerate(given):
        descriptor = message.descriptor
        fault = putting.descriptor_fault(descriptor) or length_fault(caller, destination, len(message.body))
        if fault:
            raise MQError(fault, handle.name, index=index)
        placed = decided(tx, caller, handle, destination, descriptor, options)
        if destination.queue.definition_type == TEMPORARY_DYNAMIC and placed.persistence:
            raise MQError(PERSISTENT_NOT_ALLOWED, handle.name, index=index)
        if destination.queue.is_transmission and not destination.is_remote:
            # The application's own Expiry: a CAPEXPRY on the way is no inconsistency of its making.
            ccsid = placed.coded_char_set_id
            fault = transmission_fault(placed.format, descriptor.expiry, message.body, placed.encoding, ccsid)
            if fault:
                raise MQError(fault, handle.name, index=index)
        prepared.append(placed)
    return prepared


def length_fault(caller: Caller, destination: Destination, length: int) -> int:
    """2030 or 2031 for data longer than the queue or the queue manager takes, else 0."""
    if length + destination.header_length > destination.queue.max_length:
        return MSG_TOO_BIG_FOR_Q
    return MSG_TOO_BIG_FOR_Q_MGR if length > caller.qmgr.max_length else 0


def room_fault(caller: Caller, destination: Destination, arrivals: Sequence[Arrival]) -> MQError | None:
    """2051 when an object on the path is inhibited, 2053 for the first message that the queue has no room for."""
    queue: QueueRow = destination.queue
    if not destination.put_enabled:
        return MQError(PUT_INHIBITED, destination.first.name)
    if queue.depth + len(arrivals) > queue.max_depth:
        return MQError(Q_FULL, queue.name, index=max(0, queue.max_depth - queue.depth))
    return None


def decided(
    tx: Transaction,
    caller: Caller,
    handle: ObjectHandle,
    destination: Destination,
    descriptor: MessageDescriptor,
    options: PutMessageOptions,
) -> MessageDescriptor:
    """A copy of the descriptor with every field that the queue manager decides (mqi-semantics §3.1, §3.2)."""
    asked = int(options.options)
    first = destination.first
    placed = descriptor.copy()
    if placed.priority == putting.AS_Q_DEF_PRIORITY:
        placed.priority = first.default_priority
    if placed.persistence == putting.AS_Q_DEF_PERSISTENCE:
        placed.persistence = first.default_persistence
    if placed.coded_char_set_id == 0:
        placed.coded_char_set_id = caller.qmgr.ccsid
    placed.expiry = capped(placed.expiry, caps_of(destination))
    placed.backout_count = 0
    placed.put_at = caller.now
    if asked & putting.NEW_MSG_ID or placed.msg_id == NO_ID:
        placed.msg_id = new_identifier(handle.connection, caller)
    if asked & putting.NEW_CORREL_ID:
        placed.correl_id = new_identifier(handle.connection, caller)
    if not placed.reply_to_q_mgr:
        _reply_to(tx, caller, placed)
    in_context(handle, caller, placed, asked & putting.CONTEXT, options.context)
    return placed


def caps_of(destination: Destination) -> list[int]:
    """Every CAPEXPRY on the path, in tenths of a second."""
    caps = []
    for each in (*destination.path, destination.queue):
        if each.cap_expiry is not None:
            caps.append(each.cap_expiry)
        if each.custom_cap_expiry is not None:
            caps.append(each.custom_cap_expiry)
    return caps


def _reply_to(tx: Transaction, caller: Caller, placed: MessageDescriptor) -> None:
    """A blank ReplyToQMgr: a local definition of a remote queue is substituted, else it is this queue manager."""
    placed.reply_to_q_mgr = caller.qmgr.name
    if placed.reply_to_q:
        found = queues.by_name(tx, caller.qmgr.name, placed.reply_to_q)
        if found is not None and found.type == "QREMOTE":
            placed.reply_to_q = found.remote_name
            placed.reply_to_q_mgr = found.remote_queue_manager
