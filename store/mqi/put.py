"""MQPUT."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mqsc.store.constants import MQCC, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine import enqueue, queue_events, stream_copies
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.effects import ALONE, Arrival, Effect, Placement
from mqsc.store.engine.name_resolution import Destination
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import CallContext
from mqsc.store.error import MQError
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.mqi import put_properties
from mqsc.store.mqi.group_position import PUTS, move_to
from mqsc.store.mqi.message_handle import in_use
from mqsc.store.mqi.publish import publish
from mqsc.store.mqi.put_message import PutCall, prepare
from mqsc.store.mqi.state import HandleState, revalidate
from mqsc.store.mqi.syncpoint import joined, lacks_room
from mqsc.store.rules import admission, opening, putting
from mqsc.store.rules.command_message import COMMAND_QUEUE
from mqsc.store.rules.grouping import NO_GROUP
from mqsc.store.sqlite.database import Transaction


def put(
    handle: HandleState,
    messages: Sequence[Message],
    options: PutMessageOptions,
    option_bits: int,
    *,
    is_put1: bool = False,
) -> list[MessageDescriptor]:
    """Put messages through an open handle, or publish them; their descriptors as placed.
    `option_bits`: the options as a plain number.

    Warnings (2049, 2104, 2241 …) are set on the messages given. MQError in the order of
    mqi-semantics §12; nothing is stored when any message is refused.
    """
    if not handle.is_open:
        raise MQError(MQRC.HOBJ_ERROR)
    if not handle.options & opening.OUTPUT:
        raise MQError(MQRC.NOT_OPEN_FOR_OUTPUT, handle.name)
    is_topic = handle.destination is None
    fault = putting.options_fault(option_bits, is_put1=is_put1)
    if is_topic:
        fault = fault or putting.publication_options_fault(option_bits, options.publication_level)
    if fault:
        raise MQError(fault, handle.name)
    if not messages:
        return []
    names_handles = (
        options.message_handle is not None or options.original_handle is not None or options.action
    )
    place = publish if is_topic else _until_placed
    if not (names_handles and put_properties.check_put_properties(handle.connection, options)):
        return place(handle, messages, options, option_bits, with_handles=False)
    with in_use(options.message_handle, options.original_handle):
        placed = place(handle, messages, options, option_bits, with_handles=True)
        put_properties.restart_iteration(options)
        return placed


def _until_placed(
    handle: HandleState,
    messages: Sequence[Message],
    options: PutMessageOptions,
    option_bits: int,
    *,
    with_handles: bool,
) -> list[MessageDescriptor]:
    """Put, again after dead programs have made room, and in a synced transaction if the first
    should have been one.
    """
    in_unit = option_bits & putting.SYNCPOINT
    # A synced transaction suits message handles whatever they hold.
    durable = not in_unit and (with_handles or _expects_persistent(handle, messages))
    unit = handle.connection.unit
    before = unit.snapshot if in_unit else None
    while True:
        try:
            placed = _put(handle, messages, options, option_bits, durable, with_handles)
        # Not for an interruption, which may come after COMMIT; then the unit of work holds the
        # message.
        except Exception as error:
            if before is not None:
                unit.restore(before)
            if not lacks_room(error) or not recover(handle.connection.store):
                raise
        else:
            if placed is not None:
                return placed
            durable = True


def _put(
    handle: HandleState,
    messages: Sequence[Message],
    options: PutMessageOptions,
    option_bits: int,
    synced: bool,
    handles: bool,
) -> list[MessageDescriptor] | None:
    """The descriptors as placed; None when DEFPSIST was changed, so that the transaction must be
    a synced one.
    """
    connection = handle.connection
    in_unit = bool(option_bits & putting.SYNCPOINT)
    with Transaction(connection.store.database, synced) as tx:
        call, destination = revalidate(tx, handle, option_bits & putting.FAIL_IF_QUIESCING)
        prepared = prepare(
            PutCall(tx, call, handle, destination, options, option_bits, handles), messages
        )
        arrivals = prepared.parts
        if destination.remote_queue_manager:
            arrivals = [destination.wrapped(call, each) for each in arrivals]
        if prepared.has_persistent and not (synced or in_unit):
            return None
        if in_unit:
            _within_limit(handle, call, destination, arrivals)
        refused = _refusal(tx, call, handle, destination, arrivals)
        if refused is None:
            how = Placement(connection.unit.begin()) if in_unit else ALONE
            effects = enqueue.enqueue(tx, call, destination.queue, arrivals, how)
            connection.dead_letter_event = arrivals[-1].event
            caused = deliver(tx, call, effects) if effects else 0
            if in_unit:
                joined(
                    connection,
                    call,
                    destination.queue,
                    len(arrivals),
                    caused,
                    persistent=prepared.has_persistent,
                )
        else:
            deliver(tx, call, _events(tx, call, refused))
    if refused is not None:
        raise refused.error
    if destination.queue.name == COMMAND_QUEUE:
        # The command server is asked when the call ends, or the unit of work.
        connection.unit.commands = connection.unit.commands or in_unit
        connection.has_commands = connection.has_commands or not in_unit
    if prepared.position is not NO_GROUP or handle.positions:
        move_to(handle, PUTS, prepared.position, in_unit=in_unit)
    for message in messages:
        message.completion = message.reason = 0
    for index, warning in prepared.warnings.items():
        messages[index].completion, messages[index].reason = MQCC.WARNING, warning
    return prepared.descriptors


def _expects_persistent(handle: HandleState, messages: Sequence[Message]) -> bool:
    """Whether a message given is persistent, judging by the rows that the handle keeps."""
    by_default = False
    for message in messages:
        persistence = message.descriptor.persistence
        if persistence == putting.PERSISTENT:
            return True
        by_default = by_default or persistence == putting.AS_Q_DEF_PERSISTENCE
    destination = handle.destination
    return by_default and destination is not None and bool(destination.opened.default_persistence)


class _Refusal(NamedTuple):
    """A put that is refused, with the fields of the event about it: the name that was put to and
    where that leads.

    `destination` is None when a copy is refused: the queue manager puts it, to a name that it
    resolves by itself.
    """

    error: MQError
    name: str
    destination: Destination | None


def _events(tx: Transaction, call: CallContext, refused: _Refusal) -> list[Effect]:
    reason = int(refused.error.reason)
    if refused.destination is None:
        return queue_events.delivery_refused(tx, call, refused.name, "", reason)
    return queue_events.put_refused(tx, call, refused.name, refused.destination, reason)


def _refusal(
    tx: Transaction,
    call: CallContext,
    handle: HandleState,
    destination: Destination,
    arrivals: Sequence[Arrival],
) -> _Refusal | None:
    """Why the queue, or with STRMQOS(MUSTDUP) its stream queue, does not take the messages."""
    queue = destination.queue
    free = queue.max_depth - queue.depth
    fault = admission.queue_fault(destination.put_enabled, free, len(arrivals))
    if fault:
        return _refusal_of_queue(handle, destination, arrivals, fault)
    return _refusal_of_copies(tx, call, destination, arrivals) if queue.must_duplicate else None


def _refusal_of_queue(
    handle: HandleState,
    destination: Destination,
    arrivals: Sequence[Arrival],
    reason: int,
) -> _Refusal:
    """2051 when an object on the way is inhibited, 2053 for the first message that does not fit
    on the queue.
    """
    if reason == admission.Q_FULL:
        index = _index_at(arrivals, max(0, destination.free))
        return _Refusal(
            MQError(reason, destination.queue.name, index=index),
            handle.name,
            destination,
        )
    return _Refusal(MQError(reason, destination.opened.name), handle.name, destination)


def _refusal_of_copies(
    tx: Transaction,
    call: CallContext,
    destination: Destination,
    arrivals: Sequence[Arrival],
) -> _Refusal | None:
    """With STRMQOS(MUSTDUP), any reason that refuses a copy; the error names the stream queue."""
    refused = stream_copies.refusal(
        tx,
        call.qmgr,
        destination.queue,
        [stream_copies.size_of(each) for each in arrivals],
    )
    if refused is None:
        return None
    at = None if refused.message is None else _index_at(arrivals, refused.message)
    return _Refusal(
        MQError(refused.reason, refused.stream_queue, index=at),
        refused.stream_queue,
        None,
    )


def _within_limit(
    handle: HandleState,
    call: CallContext,
    destination: Destination,
    arrivals: Sequence[Arrival],
) -> None:
    """MQError 2024 for the first message that would exceed MAXUMSGS, unless a put is inhibited
    (2051).
    """
    if handle.connection.is_command_server:
        return
    room = call.qmgr.max_uncommitted - handle.connection.unit.count
    if len(arrivals) > room and destination.put_enabled:
        raise MQError(
            MQRC.SYNCPOINT_LIMIT_REACHED,
            handle.name,
            index=_index_at(arrivals, max(0, room)),
        )


def _index_at(arrivals: Sequence[Arrival], room: int) -> int:
    """The index of the first message beyond `room`; segments that the queue manager made count
    as one message.
    """
    return sum(not each.continues for each in arrivals[: room + 1]) - 1
