"""A stored message as MQGET returns it: remaining expiry, context, truncation, conversion (mqi-semantics §4.4)."""

from __future__ import annotations

from store.constants import MQCC, MQRC
from store.descriptor import MessageDescriptor
from store.engine.call_context import CallContext
from store.engine.stored_descriptor import descriptor_of
from store.headers import mqmde
from store.headers.layout import writable
from store.message import GetMessageOptions, Message
from store.mqi import get_properties
from store.mqi.conversion import Representation, converted
from store.mqi.state import HandleState
from store.rules import getting
from store.rules.expiry import elapsed_tenths, transmission_aged
from store.rules.properties import message_data
from store.rules.properties.property_set import Properties
from store.sql.rows import StoredMessage
from store.sqlite.database import Queries

XMIT_Q_HEADER = "MQXMIT"


def delivered(
    tx: Queries, handle: HandleState, found: StoredMessage, call: CallContext, options: GetMessageOptions, convert: bool
) -> tuple[Message, Properties | None]:
    """The message with its remaining expiry; completion and reason hold the warning (2079, 2080, 211x), if any.

    Then the properties for the message handle, if that is used.
    """
    descriptor = descriptor_of(found, call.now)
    body: bytes = found.body
    if descriptor.format == XMIT_Q_HEADER:
        body = transmission_aged(body, elapsed_tenths(found.put_at, call.now), descriptor.encoding)
    stored, properties = None, None
    in_handle = options.message_handle is not None or options.descriptor_in_handle
    if in_handle or message_data.may_carry(descriptor.format):
        whole = descriptor, body
        descriptor, body, properties = get_properties.received(tx, handle, descriptor, body, options)
        stored = None if body is whole[1] else Message(whole[1], whole[0])
    if options.descriptor_version == 1 and mqmde.is_needed(descriptor):
        descriptor, body = mqmde.split_extension(descriptor, body, ccsid=writable(call.qmgr.ccsid))
    reason, length, limit = 0, len(body), options.buffer_length
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
    message = Message(body, descriptor, completion=MQCC.WARNING if reason else 0, reason=reason, data_length=length)
    message.stored = stored
    return message, properties


def _converted(
    body: bytes, descriptor: MessageDescriptor, wanted: Representation, limit: int | None
) -> tuple[int, bytes, MessageDescriptor]:
    """(0, converted data, its descriptor), or the reason with both unchanged: 2120 when the data would be too long."""
    into = descriptor.copy()
    reason, data = converted(into, body, wanted)
    if limit is not None and len(data) > limit:
        return MQRC.CONVERTED_MSG_TOO_BIG, body, descriptor
    return reason, data, into
