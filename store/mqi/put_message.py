"""The messages that a put stores: their descriptors and their parts."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import NamedTuple

from msgspec import Struct

from mqsc.store.descriptor import NO_ID, PADDING, MessageDescriptor
from mqsc.store.engine.effects import Arrival
from mqsc.store.engine.name_resolution import Destination
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.stored_message import extension_length
from mqsc.store.error import MQError, refuse_for
from mqsc.store.headers import mqmd
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.mqi import group_position
from mqsc.store.mqi.known_puts import KnownPut
from mqsc.store.mqi.put_context import in_context
from mqsc.store.mqi.put_properties import given_descriptor, with_properties
from mqsc.store.mqi.state import HandleState
from mqsc.store.rules import admission, putting
from mqsc.store.rules.expiry import capped
from mqsc.store.rules.grouping import NO_GROUP, SEGMENTATION_ALLOWED, GroupPosition, segments
from mqsc.store.rules.properties import message_data
from mqsc.store.rules.report_message import options_warning
from mqsc.store.rules.transmission_expiry import transmission_capped, transmission_fault
from mqsc.store.sql import queues
from mqsc.store.sql.message_insert import form_of
from mqsc.store.sql.rows import ManagerRow, QueueRow
from mqsc.store.sqlite.database import Transaction


class PutCall(Struct, frozen=True):
    """One call: who puts through which handle to which objects, and how; `option_bits`: the
    options as a plain number.
    """

    tx: Transaction
    call: CallContext
    handle: HandleState
    destination: Destination
    options: PutMessageOptions
    option_bits: int
    # Message handles take part.
    with_handles: bool


class PreparedMessages(Struct, frozen=True):
    """The messages of a put, ready to be stored.

    There are more `parts` than messages when the queue manager splits some into segments.
    `warnings` are reasons by the index of their message; `position` is the handle's next one in a
    group.
    """

    descriptors: list[MessageDescriptor]
    parts: list[Arrival]
    warnings: dict[int, int]
    position: GroupPosition
    has_persistent: bool


class _PreparedMessage(NamedTuple):
    """One message: its descriptor as placed, its parts, a warning or 0, and the handle's next
    position.
    """

    placed: MessageDescriptor
    parts: list[Arrival]
    warning: int
    position: GroupPosition


def prepare(put: PutCall, messages: Sequence[Message]) -> PreparedMessages:
    """Decide everything about the messages to store.

    MQError with the index of the first message that is refused; ValueError for a value that does
    not fit its field.
    """
    handle = put.handle
    call = put.call
    known_puts = handle.known_puts
    position = handle.positions.get(group_position.PUTS, NO_GROUP)
    descriptors: list[MessageDescriptor] = []
    parts: list[Arrival] = []
    warnings: dict[int, int] = {}
    has_persistent = False
    descriptor_decides = _descriptor_decides(put)
    option_bits, version = put.option_bits, call.qmgr.version
    for index, message in enumerate(messages):
        key = known = None
        if descriptor_decides and position is NO_GROUP:
            try:
                key = option_bits, version, message.descriptor.likeness()
                known = known_puts.get(key)
            except TypeError:
                # A value does not fit its field: preparing the message explains the fault.
                key = None
        if known is not None and len(message.body) <= known.longest:
            placed, warning = copy(known.placed), known.warning
            _identify(handle, call, option_bits, message.descriptor, placed)
            parts.append(Arrival(placed, message.body, False, known.form))
        else:
            try:
                placed, stored, warning, position = _prepared(put, message, position)
            except MQError as refused:
                raise MQError(refused.reason, handle.name, index=index) from None
            placed.resolved_q_name, placed.resolved_q_mgr_name = put.destination.resolved_names
            parts += stored
            if (
                key is not None
                and position is NO_GROUP
                and _holds_for_all_alike(message.descriptor, placed)
            ):
                known_puts.keep(key, _known_put(put, placed, warning))
        has_persistent = has_persistent or placed.persistence == putting.PERSISTENT
        descriptors.append(placed)
        if warning:
            warnings[index] = warning
    return PreparedMessages(descriptors, parts, warnings, position, has_persistent)


# Options with which more decides than the descriptor.
_DECIDED_ELSEWHERE = putting.PASSED | putting.LOGICAL_ORDER


def _descriptor_decides(put: PutCall) -> bool:
    """Whether messages with the same descriptor are placed alike, as far as the call goes."""
    return (
        put.destination.descriptor_decides
        and not put.with_handles
        and not put.option_bits & _DECIDED_ELSEWHERE
    )


def _known_put(put: PutCall, placed: MessageDescriptor, warning: int) -> KnownPut:
    longest = _longest(put.destination.queue, put.call.qmgr)
    return KnownPut(copy(placed), form_of(placed), warning, longest)


def _holds_for_all_alike(descriptor: MessageDescriptor, placed: MessageDescriptor) -> bool:
    """Not for a message in a group or one that is split, nor for one whose ReplyToQ may be a remote
    definition.

    Nor for one that may have properties in its data.
    """
    if descriptor.msg_flags or message_data.may_carry(placed.format):
        return False
    return not descriptor.reply_to_q or bool(descriptor.reply_to_q_mgr.rstrip(PADDING))


def _longest(queue: QueueRow, qmgr: ManagerRow) -> int:
    longest = min(queue.max_length, qmgr.max_length)
    return longest if queue.structure_longest is None else min(longest, queue.structure_longest)


def _identify(
    handle: HandleState,
    call: CallContext,
    option_bits: int,
    descriptor: MessageDescriptor,
    placed: MessageDescriptor,
) -> None:
    """Set the fields that differ from message to message: ids, new ones if asked for or none
    were given, and times.
    """
    placed.put_at = call.now
    if option_bits & putting.SET_ALL_CONTEXT:
        placed.put_date, placed.put_time = descriptor.given_put_date, descriptor.given_put_time
    is_new = option_bits & putting.NEW_MSG_ID or descriptor.msg_id == NO_ID
    placed.msg_id = next(handle.connection.identifiers) if is_new else descriptor.msg_id
    placed.correl_id = (
        next(handle.connection.identifiers)
        if option_bits & putting.NEW_CORREL_ID
        else descriptor.correl_id
    )


def _prepared(
    put: PutCall,
    message: Message,
    position: GroupPosition,
) -> _PreparedMessage:
    """Validate one message, and decide its descriptor, place and parts."""
    descriptor = message.descriptor
    queue = put.destination.queue
    body = message.body
    if put.with_handles:
        descriptor = given_descriptor(descriptor, put.options, put.option_bits)
    unfit = mqmd.descriptor_fault(descriptor)
    if unfit:
        raise ValueError(unfit)
    fault = putting.descriptor_fault(descriptor, transmission=bool(queue.is_transmission))
    fault = fault or putting.context_fault(put.option_bits, put.handle.options)
    if fault:
        raise MQError(fault)
    placed = decided(put, descriptor)
    position, broken = group_position.place(
        put.handle, put.call, position, placed, body, put.option_bits
    )
    direct = queue.is_transmission and not put.destination.is_remote
    if direct:
        body = transmission_capped(
            placed.format,
            body,
            placed.encoding,
            put.destination.expiry_caps,
        )
    if put.with_handles or message_data.may_carry(placed.format):
        stored, body, counted = with_properties(put.tx, put.call, placed, body, put.options)
        parts = _parts(put, stored, body, counted)
    else:
        parts = _parts(put, placed, body, len(body))
    if direct:
        # The application's own data and Expiry: it is not to blame for a CAPEXPRY on the way.
        sent = message.body
        refuse_for(
            transmission_fault(
                placed.format,
                descriptor.expiry,
                sent,
                placed.encoding,
                placed.coded_char_set_id,
            ),
        )
    warning = putting.priority_warning(placed.priority) or options_warning(placed.report) or broken
    return _PreparedMessage(placed, parts, warning, position)


def _parts(put: PutCall, placed: MessageDescriptor, body: bytes, counted: int) -> list[Arrival]:
    """The message, or the segments of one that is too long for the queue; MQError 2048, 2030, 2031.

    `counted` is the length without properties.
    """
    destination = put.destination
    extension = extension_length(placed) if destination.is_remote else 0
    limits = destination.limits(put.call.qmgr)
    fault = admission.message_fault(limits, placed.persistence, counted, extension)
    if not fault:
        return [Arrival(placed, body)]
    split = []
    if fault in admission.TOO_LONG and placed.msg_flags & SEGMENTATION_ALLOWED:
        split = segments(
            placed,
            body,
            min(limits.queue.max_length - limits.header - extension, limits.longest_of_all),
        )
    if not split:
        raise MQError(fault)
    return [Arrival(*split[0]), *(Arrival(*each, continues=True) for each in split[1:])]


def decided(put: PutCall, descriptor: MessageDescriptor) -> MessageDescriptor:
    """A copy of the descriptor with every field that the queue manager decides (mqi-semantics
    §3.1, §3.2).
    """
    call, first = put.call, put.destination.opened
    placed = descriptor.copy()
    mqmd.make_plain(placed)
    if placed.priority == putting.AS_Q_DEF_PRIORITY:
        placed.priority = first.default_priority
    if placed.persistence == putting.AS_Q_DEF_PERSISTENCE:
        placed.persistence = first.default_persistence
    if placed.coded_char_set_id == 0:
        placed.coded_char_set_id = call.qmgr.ccsid
    caps = put.destination.expiry_caps
    if caps:
        placed.expiry = capped(placed.expiry, caps)
    placed.backout_count = 0
    _identify(put.handle, call, put.option_bits, placed, placed)
    if not placed.reply_to_q_mgr:
        _reply_to(put, placed)
    in_context(put.handle, call, placed, put.option_bits & putting.CONTEXT, put.options.context)
    return placed


def _reply_to(put: PutCall, placed: MessageDescriptor) -> None:
    """Fill a blank ReplyToQMgr: from a local definition of a remote queue, else with this queue
    manager.
    """
    placed.reply_to_q_mgr = put.call.qmgr.name
    if placed.reply_to_q:
        found = queues.visible(put.tx, put.call.qmgr, placed.reply_to_q)
        if found is not None and found.type == "QREMOTE":
            placed.reply_to_q = found.remote_name
            placed.reply_to_q_mgr = found.remote_queue_manager
