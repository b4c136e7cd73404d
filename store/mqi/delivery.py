"""A stored message as MQGET hands it over: remaining expiry, context, truncation, conversion (mqi-semantics §4.4)."""

from __future__ import annotations

from store.descriptor import GetMessageOptions, Message
from store.flow.caller import Caller
from store.flow.stored import descriptor_of
from store.mqi.conversion import converted
from store.rules import getting
from store.rules.expiry import elapsed_tenths, transmission_aged
from store.sql.rows import StoredMessage

WARNING = 1
TRUNCATED_MSG_ACCEPTED, TRUNCATED_MSG_FAILED = 2079, 2080
XMIT_Q_HEADER = "MQXMIT"


def delivered(found: StoredMessage, caller: Caller, options: GetMessageOptions, *, convert: bool) -> Message:
    """The message with its remaining expiry; completion and reason say what is lacking (2079, 2080, 211x)."""
    descriptor = descriptor_of(found, caller.now)
    body: bytes = found.body
    if descriptor.format == XMIT_Q_HEADER:
        body = transmission_aged(body, elapsed_tenths(found.put_at, caller.now), descriptor.encoding)
    reason = 0
    if convert:
        reason, body = converted(descriptor, body, caller.qmgr.ccsid)
    length = len(body)
    limit = options.buffer_length
    if limit is not None and length > limit:
        accepted = int(options.options) & getting.ACCEPT_TRUNCATED_MSG
        reason = TRUNCATED_MSG_ACCEPTED if accepted else TRUNCATED_MSG_FAILED
        body = body[:limit]
    return Message(body, descriptor, completion=WARNING if reason else 0, reason=reason, data_length=length)
