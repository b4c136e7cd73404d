"""The message that a put stores: descriptor, context, properties.

Programs put the same descriptor again and again. It is validated, and its fields are decided, once,
as long as neither the objects that the handle resolved through nor the queue manager change.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import lru_cache

from msgspec import Struct

from mqsc.store.constants import MQACTT, MQPMO, MQRC
from mqsc.store.descriptor import NO_ID, NO_TOKEN, PADDING, TOKEN_LENGTH, MessageDescriptor, bits
from mqsc.store.engine.effects import Arrival
from mqsc.store.engine.name_resolution import Destination
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.stored_message import extension_length
from mqsc.store.error import MQError, refuse_for, refuse_if, required
from mqsc.store.headers import mqmd, mqrfh2
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.mqi import message_choice
from mqsc.store.mqi.message_handle import MessageHandleState
from mqsc.store.mqi.state import ConnectionState, HandleState, PreparedPut
from mqsc.store.rules import admission, opening, putting
from mqsc.store.rules.expiry import capped
from mqsc.store.rules.grouping import NO_GROUP, SEGMENTATION_ALLOWED, GroupPosition, segments
from mqsc.store.rules.properties import message_data, put_action
from mqsc.store.rules.properties.put_action import EMPTY, HandleContent
from mqsc.store.rules.report_message import options_warning
from mqsc.store.rules.transmission_expiry import transmission_capped, transmission_fault
from mqsc.store.sql import objects, queues
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


def prepare(
    put: PutCall,
    messages: Sequence[Message],
) -> tuple[list[MessageDescriptor], list[Arrival], dict[int, int], GroupPosition, bool]:
    """Messages to store: complete descriptors, the parts that are stored, and warnings by the index
    of their message.

    There are more parts than messages when the queue manager splits some into segments. Then the
    handle's next position in a group, and whether at least one message is persistent.

    MQError with the index of the first message that is refused; ValueError for a value that does
    not fit its field.
    """
    handle = put.handle
    call = put.call
    destination = put.destination
    option_bits = put.option_bits
    position = handle.positions.get(message_choice.PUTS, NO_GROUP)
    known = (
        handle.prepared_puts if destination.descriptor_decides and not put.with_handles else None
    )
    if position is not NO_GROUP or option_bits & _DECIDED_ELSEWHERE:
        known = None
    descriptors: list[MessageDescriptor] = []
    parts: list[Arrival] = []
    warnings: dict[int, int] = {}
    persistent = False
    for index, message in enumerate(messages):
        alike = prepared = None
        if known is not None:
            try:
                alike = option_bits, call.qmgr.version, message.descriptor.likeness()
                prepared = known.get(alike)
            except TypeError:
                # A value does not fit its field: preparing the message explains the fault.
                alike = None
        if prepared is not None and len(message.body) <= prepared.longest:
            placed, warning = copy(prepared.placed), prepared.warning
            _identify(handle, call, option_bits, message.descriptor, placed)
            parts.append(Arrival(placed, message.body, False, prepared.form))
        else:
            try:
                placed, stored, warning, position = _prepared(put, message, position)
            except MQError as refused:
                raise MQError(refused.reason, handle.name, index=index) from None
            placed.resolved_q_name, placed.resolved_q_mgr_name = destination.resolved_names
            if position is not NO_GROUP:
                known = None
            if (
                known is not None
                and alike is not None
                and _holds_for_all_alike(message.descriptor, placed)
            ):
                longest = _longest(destination.queue, call.qmgr)
                prepared = PreparedPut(copy(placed), form_of(placed), warning, longest)
                if len(known) >= MOST_PREPARED:
                    known.clear()
                known[alike] = prepared
            parts += stored
        persistent = persistent or placed.persistence == putting.PERSISTENT
        descriptors.append(placed)
        if warning:
            warnings[index] = warning
    return descriptors, parts, warnings, position, persistent


# Options with which more decides than the descriptor.
_DECIDED_ELSEWHERE = putting.PASSED | putting.LOGICAL_ORDER
# A field that changes with every put would fill the cache; clear it at 256.
MOST_PREPARED = 256


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
) -> tuple[MessageDescriptor, list[Arrival], int, GroupPosition]:
    """One message: its descriptor as placed, its parts, a warning or 0, and the handle's next
    position.
    """
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
    position, broken = message_choice.place(
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
    return placed, parts, warning, position


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


# The properties that a put adds to a message from message handles.

MD_FOR_OUTPUT_ONLY = int(MQPMO.MD_FOR_OUTPUT_ONLY)


def usable(connection: ConnectionState, message_handle: object) -> MessageHandleState | None:
    """The message handle, or None without one; MQError 2460 for a handle of another connection,
    or a deleted one.
    """
    if message_handle is None:
        return None
    if not isinstance(message_handle, MessageHandleState):
        raise TypeError(f"a message handle is needed, not {type(message_handle).__name__}")
    if message_handle.is_deleted or (
        message_handle.connection is not None and message_handle.connection is not connection
    ):
        raise MQError(MQRC.HMSG_ERROR)
    return message_handle


def check_put_properties(connection: ConnectionState, options: PutMessageOptions) -> bool:
    """Whether message handles take part in the put. MQError 2460, 2535."""
    original = usable(connection, options.original_handle)
    new = usable(connection, options.message_handle)
    refuse_for(
        put_action.action_fault(bits(options.action, "action"), has_original=original is not None),
    )
    return original is not None or new is not None


def contents(options: PutMessageOptions) -> tuple[HandleContent, HandleContent]:
    """What the original and the new message handle hold."""
    original, new = (_content(each) for each in (options.original_handle, options.message_handle))
    return original, new


def _content(handle: object) -> HandleContent:
    return (
        HandleContent(handle.properties, handle.fields)
        if isinstance(handle, MessageHandleState)
        else EMPTY
    )


def restart_iteration(options: PutMessageOptions) -> None:
    """A put resets the cursors of the message handles."""
    for each in (options.original_handle, options.message_handle):
        if isinstance(each, MessageHandleState):
            each.reset_cursor()


def given_descriptor(
    descriptor: MessageDescriptor,
    options: PutMessageOptions,
    option_bits: int,
) -> MessageDescriptor:
    """The MQMD to put with: with MD_FOR_OUTPUT_ONLY the fields that the handles hold."""
    if not option_bits & MD_FOR_OUTPUT_ONLY:
        return descriptor
    taken = MessageDescriptor()
    original, new = contents(options)
    for name, value in put_action.fields_of(options.action, original, new).items():
        setattr(taken, name, value)
    return taken


def with_properties(
    tx: Transaction,
    call: CallContext,
    placed: MessageDescriptor,
    body: bytes,
    options: PutMessageOptions,
) -> tuple[MessageDescriptor, bytes, int]:
    """The message as it is stored, and the length that MAXMSGL counts.

    MQError 2334, 2421 or 2527 for an invalid MQRFH2 at the start of the data, 2490 and 2478 for
    properties that cannot be put.
    """
    stored = placed
    if placed.format == mqrfh2.FORMAT:
        refuse_for(message_data.fault(placed, body))
    if options.message_handle is not None or options.original_handle is not None:
        original, new = contents(options)
        properties = put_action.properties_of(options.action, original, new)
        refuse_for(put_action.support_fault(properties))
        if properties:
            stored, body = message_data.with_properties(
                placed,
                body,
                properties.values(),
                call.qmgr.ccsid,
            )
    carried = message_data.read(stored, body)
    if carried is None:
        return stored, body, len(body)
    limit = objects.attribute(tx, call.qmgr.name, "qmgr", call.qmgr.name, "MAXPROPL")
    if isinstance(limit, int) and 0 <= limit < message_data.properties_length(carried):
        raise MQError(MQRC.PROPERTIES_TOO_BIG)
    return stored, body, message_data.counted(carried, len(body))


# The context of a message: who put it, and where (mqi-semantics §3.2).

UNIX_APPLICATION, UNIX_NUMERIC_ID = 6, MQACTT.UNIX_NUMERIC_ID
IDENTITY_FIELDS = ("user_identifier", "accounting_token", "appl_identity_data")
ORIGIN_FIELDS = ("put_appl_type", "put_appl_name", "put_date", "put_time", "appl_origin_data")


def in_context(
    handle: HandleState,
    call: CallContext,
    placed: MessageDescriptor,
    option_bits: int,
    source: object,
) -> None:
    """Set the identity and origin context of a message as the put's context option requires.
    MQError 2097 or 2098.
    """
    if option_bits in (0, putting.DEFAULT_CONTEXT):
        _own_identity(handle, call, placed)
        _own_origin(call, placed)
    elif option_bits == putting.NO_CONTEXT:
        placed.user_identifier = ""
        placed.accounting_token = NO_TOKEN
        placed.appl_identity_data = ""
        placed.put_appl_type = 0
        placed.put_appl_name = ""
        placed.appl_origin_data = ""
        placed.put_date, placed.put_time = "", ""
    elif option_bits & putting.PASSED:
        saved = _saved(source, handle)
        for field in IDENTITY_FIELDS:
            setattr(placed, field, getattr(saved, field))
        if option_bits == putting.PASS_ALL_CONTEXT:
            for field in ORIGIN_FIELDS:
                setattr(placed, field, getattr(saved, field))
        else:
            _own_origin(call, placed)
    elif option_bits == putting.SET_IDENTITY_CONTEXT:
        _own_origin(call, placed)


def _own_identity(handle: HandleState, call: CallContext, placed: MessageDescriptor) -> None:
    placed.user_identifier = _fitted(handle.alternate_user or call.user, 12)
    placed.accounting_token = accounting_token(call.environment.user_number)
    placed.appl_identity_data = ""


def _own_origin(call: CallContext, placed: MessageDescriptor) -> None:
    placed.put_appl_type = UNIX_APPLICATION
    placed.put_appl_name = _fitted(call.application, 28)
    placed.put_date = placed.put_time = None  # derived from the time of the put
    placed.appl_origin_data = ""


@lru_cache(maxsize=64)
def accounting_token(user_number: int) -> bytes:
    """The AccountingToken on Unix: the user number in characters, its length before it, its type
    (X'06') at the end.
    """
    digits = str(user_number).encode()
    return (bytes((len(digits),)) + digits).ljust(TOKEN_LENGTH - 1, b"\0") + UNIX_NUMERIC_ID


@lru_cache(maxsize=64)
def _fitted(text: str, length: int) -> str:
    """The part of a text that fits a field of so many bytes."""
    return text.encode()[:length].decode(errors="ignore")


def _saved(source: object, handle: HandleState) -> MessageDescriptor:
    if (
        not isinstance(source, HandleState)
        or not source.is_open
        or not source.options & opening.SAVE_ALL_CONTEXT
    ):
        raise MQError(MQRC.CONTEXT_HANDLE_ERROR, handle.name)
    refuse_if(source.connection is not handle.connection, MQRC.CONTEXT_HANDLE_ERROR, handle.name)
    return required(source.saved_context, MQRC.CONTEXT_NOT_AVAILABLE, handle.name)
