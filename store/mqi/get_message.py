"""A message as a get returns it."""

from __future__ import annotations

from mqsc.store.constants import MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.stored_message import TRANSMISSION_HEADER, descriptor_of
from mqsc.store.headers import mqmde
from mqsc.store.headers.layout import writable
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.mqi.browse import WARNING
from mqsc.store.mqi.conversion import Representation, converted
from mqsc.store.mqi.received_properties import received_properties
from mqsc.store.mqi.state import HandleState
from mqsc.store.rules import getting
from mqsc.store.rules.expiry import elapsed_tenths
from mqsc.store.rules.properties import message_data
from mqsc.store.rules.properties.property_set import Properties
from mqsc.store.rules.transmission_expiry import transmission_aged
from mqsc.store.sql.rows import StoredMessage
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
    if options.descriptor_version == 1 and mqmde.needs_extension(descriptor):
        descriptor, body = mqmde.split_extension(descriptor, body, ccsid=writable(call.qmgr.ccsid))
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
