"""A stored message as MQGET returns it: remaining expiry, context, truncation, conversion (mqi-semantics §4.4)."""

from __future__ import annotations

from store.descriptor import MessageDescriptor
from store.engine.call_context import CallContext
from store.engine.stored_descriptor import descriptor_of
from store.headers import mqmde
from store.headers.layout import writable
from store.message import GetMessageOptions, Message
from store.mqi.conversion import Representation, converted
from store.rules import getting
from store.rules.expiry import elapsed_tenths, transmission_aged
from store.sql.rows import StoredMessage

WARNING = 1
TRUNCATED_MSG_ACCEPTED, TRUNCATED_MSG_FAILED, CONVERTED_MSG_TOO_BIG = 2079, 2080, 2120
XMIT_Q_HEADER = "MQXMIT"


def delivered(found: StoredMessage, call: CallContext, options: GetMessageOptions, *, convert: bool) -> Message:
    """The message with its remaining expiry; completion and reason hold the warning (2079, 2080, 211x), if any."""
    descriptor = descriptor_of(found, call.now)
    body: bytes = found.body
    if descriptor.format == XMIT_Q_HEADER:
        body = transmission_aged(body, elapsed_tenths(found.put_at, call.now), descriptor.encoding)
    if options.descriptor_version == 1 and mqmde.is_needed(descriptor):
        descriptor, body = mqmde.split_extension(descriptor, body, ccsid=writable(call.qmgr.ccsid))
    reason, length, limit = 0, len(body), options.buffer_length
    fits = limit is None or length <= limit
    accepted = bool(int(options.options) & getting.ACCEPT_TRUNCATED_MSG)
    if convert and (fits or accepted) and limit != 0:
        wanted = Representation(options.coded_char_set_id or call.qmgr.ccsid, options.encoding)
        if _is_other(body, descriptor, wanted):
            reason, body, descriptor = _converted(body, descriptor, wanted, limit if fits else None)
            length = len(body)
    if limit is not None and length > limit:
        reason = TRUNCATED_MSG_ACCEPTED if accepted else TRUNCATED_MSG_FAILED
        body = body[:limit]
    return Message(body, descriptor, completion=WARNING if reason else 0, reason=reason, data_length=length)


def _is_other(body: bytes, descriptor: MessageDescriptor, wanted: Representation) -> bool:
    """Whether there is anything to convert: not when there is no data, or it is already as requested.

    Data with a blank Format has no known form (2110).
    """
    as_wanted = (descriptor.coded_char_set_id, descriptor.encoding) == wanted
    return bool(body) and not (as_wanted and descriptor.format)


def _converted(
    body: bytes, descriptor: MessageDescriptor, wanted: Representation, limit: int | None
) -> tuple[int, bytes, MessageDescriptor]:
    """(0, converted data, its descriptor), or the reason with both unchanged: 2120 when the data would be too long."""
    into = descriptor.copy()
    reason, data = converted(into, body, wanted)
    if limit is not None and len(data) > limit:
        return CONVERTED_MSG_TOO_BIG, body, descriptor
    return reason, data, into
