"""A message as a get returns it: converted data, properties, the browse cursor and marks."""

from __future__ import annotations

from typing import NamedTuple

from mqsc.store.argument_checks import bits, must_be
from mqsc.store.constants import MQBMHO, MQMHBO, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine import depth
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.stored_message import TRANSMISSION_HEADER, descriptor_of
from mqsc.store.error import MQError, refuse_for, refuse_if
from mqsc.store.headers import mqmd, mqrfh2
from mqsc.store.headers.layout import NATIVE, writable
from mqsc.store.headers.mqrfh2 import RulesHeader
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.mqi.conversion import Representation, converted
from mqsc.store.mqi.message_handle import MessageHandleState
from mqsc.store.mqi.put_properties import usable
from mqsc.store.mqi.state import Cursor, HandleState, call_context
from mqsc.store.rules import getting
from mqsc.store.rules.expiry import elapsed_tenths
from mqsc.store.rules.properties import delivery, message_data, property_names
from mqsc.store.rules.properties.delivery import Form
from mqsc.store.rules.properties.message_data import CarriedProperties
from mqsc.store.rules.properties.property_set import Properties, to_folders
from mqsc.store.rules.transmission_expiry import transmission_aged
from mqsc.store.sql import messages, objects
from mqsc.store.sql.rows import StoredMessage
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries


def delivered(
    tx: Queries,
    handle: HandleState,
    stored_message: StoredMessage,
    call: CallContext,
    options: GetMessageOptions,
    convert: bool,
) -> tuple[Message, Properties | None]:
    """The message with its remaining expiry; completion and reason hold the warning (2079, 2080,
    211x), if any.

    Then the properties for the message handle, if that is used.
    """
    descriptor = descriptor_of(stored_message, call.now)
    body: bytes = stored_message.body
    if descriptor.format == TRANSMISSION_HEADER:
        body = transmission_aged(
            body, elapsed_tenths(stored_message.put_at, call.now), descriptor.encoding
        )
    stored, properties = None, None
    in_handle = options.message_handle is not None or options.descriptor_in_handle
    if in_handle or message_data.may_carry(descriptor.format):
        whole = descriptor, body
        descriptor, body, properties = received_properties(tx, handle, descriptor, body, options)
        stored = None if body is whole[1] else Message(whole[1], whole[0])
    if options.descriptor_version == 1 and mqmd.needs_extension(descriptor):
        descriptor, body = mqmd.split_extension(descriptor, body, ccsid=writable(call.qmgr.ccsid))
    # Only a message of the past (`store.past`) may have a length and no data.
    reason = 0
    length = len(body) if stored_message.body else stored_message.length
    limit = options.buffer_length
    fits = limit is None or length <= limit
    accepted = bool(int(options.options) & getting.ACCEPT_TRUNCATED_MSG)
    if convert and (fits or accepted) and limit != 0:
        wanted = Representation(options.coded_char_set_id or call.qmgr.ccsid, options.encoding)
        if body and (descriptor.coded_char_set_id, descriptor.encoding) != wanted:
            reason, body, descriptor = _converted(body, descriptor, wanted, limit if fits else None)
            length = len(body)
    if limit is not None and length > limit:
        reason = MQRC.TRUNCATED_MSG_ACCEPTED if accepted else MQRC.TRUNCATED_MSG_FAILED
        body = body[:limit]
    return Message(body, descriptor, WARNING if reason else 0, reason, length, stored), properties


def _converted(
    body: bytes,
    descriptor: MessageDescriptor,
    wanted: Representation,
    limit: int | None,
) -> tuple[int, bytes, MessageDescriptor]:
    """(0, converted data, its descriptor), or the reason with both unchanged: 2120 when the data
    would be too long.
    """
    into = descriptor.copy()
    reason, data = converted(into, body, wanted)
    if limit is not None and len(data) > limit:
        return MQRC.CONVERTED_MSG_TOO_BIG, body, descriptor
    return reason, data, into


# MQMHBUF and MQBUFMH: properties of a message handle as message data, and back (properties §2).

UTF_8 = 1208
_IN_MQRFH2, _DELETE = int(MQMHBO.PROPERTIES_IN_MQRFH2), int(MQMHBO.DELETE_PROPERTIES)
_DELETE_FROM_BUFFER = int(MQBMHO.DELETE_PROPERTIES)


class BufferTooShortError(MQError):
    """2469: the buffer is too short for an MQRFH2 of `data_length` bytes."""

    def __init__(self, data_length: int) -> None:
        super().__init__(MQRC.PROPERTY_VALUE_TOO_BIG)
        self.data_length = data_length


def to_buffer(
    handle: MessageHandleState,
    name: str,
    follows: MessageDescriptor,
    options: int,
    buffer_length: int | None,
) -> Message:
    """An MQRFH2 with the properties that `name` means; MQError 2471 for none,
    BufferTooShortError.
    """
    option_bits = bits(options, "options")
    refuse_if(
        not option_bits & _IN_MQRFH2 or option_bits & ~(_IN_MQRFH2 | _DELETE), MQRC.OPTIONS_ERROR
    )
    refuse_for(property_names.query_fault(must_be(str, name, "the name of a property")), name)
    meant = [each for each in handle.properties.values() if property_names.matches(name, each.name)]
    refuse_if(not meant, MQRC.PROPERTY_NOT_AVAILABLE, name)
    folders = tuple(map(mqrfh2.folder_of, to_folders(meant)))
    header = RulesHeader(follows.encoding, follows.coded_char_set_id, follows.format, folders)
    data = mqrfh2.pack(header, NATIVE, UTF_8)
    if buffer_length is not None and len(data) > buffer_length:
        raise BufferTooShortError(len(data))
    if option_bits & _DELETE:
        for each in meant:
            handle.delete_property(each.name.full, 0)
    described = follows.copy()
    described.encoding = NATIVE
    described.coded_char_set_id = UTF_8
    described.format = mqrfh2.FORMAT
    return Message(data, described)


def from_buffer(handle: MessageHandleState, message: Message, options: int) -> Message:
    """Fill the handle from a message, whose properties are cut out if asked. MQError 2334, 2421,
    2527.
    """
    option_bits = bits(options, "options")
    refuse_if(option_bits & ~_DELETE_FROM_BUFFER, MQRC.OPTIONS_ERROR)
    checked_message = must_be(Message, message, "the message")
    refuse_for(message_data.fault(checked_message.descriptor, checked_message.body))
    carried = message_data.read(checked_message.descriptor, checked_message.body)
    descriptor, body = checked_message.descriptor, checked_message.body
    if carried is not None:
        descriptor, body = message_data.without_properties(descriptor, body, carried)
    handle.fill({} if carried is None else carried.properties, descriptor)
    return (
        Message(body, descriptor.copy()) if option_bits & _DELETE_FROM_BUFFER else checked_message
    )


# The properties of a message as a get returns them: in its data, in a message handle, or not at
# all.

_NOTHING: Properties = {}


class Received(NamedTuple):
    """A message as the program sees it, and what the message handle receives; None where it is
    ignored.
    """

    descriptor: MessageDescriptor
    body: bytes
    properties: Properties | None


def check_get_properties(handle: HandleState, options: GetMessageOptions, option_bits: int) -> None:
    """MQError 2460 for PROPERTIES_IN_HANDLE without a message handle, and for one that cannot be
    used.

    ValueError for a property control that does not exist.
    """
    message_handle = usable(handle.connection, options.message_handle)
    if option_bits & delivery.IN_HANDLE and message_handle is None:
        raise MQError(MQRC.HMSG_ERROR, handle.name)
    if options.property_control and options.property_control not in delivery.CONTROLS:
        raise ValueError(f"property_control must be one of {', '.join(delivery.CONTROLS)}")


def received_properties(
    tx: Queries,
    handle: HandleState,
    descriptor: MessageDescriptor,
    body: bytes,
    options: GetMessageOptions,
) -> Received:
    """The message in the form that the options, or PROPCTL, ask for. MQError 2026 when none can
    receive the MQMD.
    """
    has_handle = options.message_handle is not None
    control = options.property_control or _property_control(tx, handle)
    form = delivery.form_of(int(options.options), control, has_handle=has_handle)
    if options.descriptor_in_handle and not (has_handle and delivery.uses_handle(form)):
        raise MQError(MQRC.MD_ERROR, handle.name)
    carried = None
    # Behind a transmission header is a message that is not for this queue manager.
    if form is not Form.STORED and descriptor.format != TRANSMISSION_HEADER:
        carried = message_data.read(descriptor, body)
    if carried is None:
        return Received(descriptor, body, _NOTHING if delivery.uses_handle(form) else None)
    return _in_form(form, descriptor, body, carried)


def _in_form(
    form: Form,
    descriptor: MessageDescriptor,
    body: bytes,
    carried: CarriedProperties,
) -> Received:
    if form is Form.COMPATIBLE:
        form = Form.RULES_HEADER if carried.is_compatible else Form.DROPPED
    if form is Form.RULES_HEADER:
        return Received(*message_data.in_rules_header(descriptor, body, carried), None)
    if form in (Form.AS_PUT, Form.AS_PUT_AND_HANDLE):
        into = carried.set_by_handle if form is Form.AS_PUT_AND_HANDLE else None
        return Received(*message_data.without_marked(descriptor, body), into)
    into = carried.properties if form is Form.HANDLE else None
    return Received(*message_data.without_properties(descriptor, body, carried), into)


def _property_control(tx: Queries, handle: HandleState) -> str:
    """PROPCTL of the object that was opened, read again when an attribute has changed."""
    assert handle.destination is not None
    opened = handle.destination.opened
    known = handle.property_control
    if known is None or known[:2] != (opened.id, opened.version):
        given = objects.attribute(tx, opened.owner, "queue", opened.name, "PROPCTL")
        known = handle.property_control = opened.id, opened.version, str(given or delivery.COMPAT)
    return known[2]


def fill_handle(
    options: GetMessageOptions,
    properties: Properties | None,
    descriptor: MessageDescriptor,
) -> None:
    """Give the message handle what the get returned for it."""
    into = options.message_handle
    if properties is not None and isinstance(into, MessageHandleState):
        into.fill(properties, descriptor)


# Browse cursors, locks and marks (mqi-semantics §4.1).

NO_MSG_LOCKED = 2209
WARNING = 1
# MARKINT(NOLIMIT): later than any time.
FOR_GOOD = 1 << 62


def lock(
    tx: Transaction, handle: HandleState, stored_message: StoredMessage, option_bits: int
) -> None:
    """A browse returns the message: release the previous lock, and lock the message with
    MQGMO_LOCK.
    """
    if handle.holds_lock:
        release(tx, handle)
    if option_bits & getting.LOCK:
        messages.lock(tx, stored_message.id, handle.number)


def release(tx: Transaction, handle: HandleState) -> bool:
    """Release the lock that the handle holds; whether it held one."""
    assert handle.destination is not None
    return depth.unlocked(tx, handle.destination.queue.id, handle.number)


def mark(
    tx: Transaction, call: CallContext, stored_message: StoredMessage, option_bits: int
) -> None:
    """A browse returns the message: mark or unmark it for all co-operating handles."""
    if option_bits & getting.MARK_BROWSE_CO_OP:
        interval = call.qmgr.mark_interval
        messages.mark(
            tx, stored_message.id, FOR_GOOD if interval < 0 else call.now + interval * 1000
        )
    if option_bits & getting.UNMARK_BROWSE_CO_OP:
        messages.mark(tx, stored_message.id, None)


def moved(handle: HandleState, stored_message: StoredMessage, option_bits: int) -> None:
    """A browse returned the message: move the cursor to it, and mark or unmark it."""
    if option_bits & getting.MARK_BROWSE_HANDLE:
        handle.marked.add(stored_message.sequence)
    if option_bits & getting.UNMARK_BROWSE_HANDLE:
        handle.marked.discard(stored_message.sequence)
    handle.cursor = Cursor(stored_message.id, stored_message.rank, stored_message.sequence)


def unlock(handle: HandleState) -> Message:
    """MQGMO_UNLOCK: an empty message; with the warning 2209 when nothing was locked."""
    connection = handle.connection
    with Transaction(connection.store.database, durable=False) as tx:
        call_context(tx, connection)
        released = release(tx, handle)
    handle.holds_lock = False
    empty = Message(b"", MessageDescriptor())
    if not released:
        empty.completion, empty.reason = WARNING, NO_MSG_LOCKED
    return empty
