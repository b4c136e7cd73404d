"""A stored message as MQGET hands it over: remaining expiry, context, truncation, conversion (mqi-semantics §4.4)."""

from __future__ import annotations

from store.descriptor import NO_ID, NO_TOKEN, GetMessageOptions, Message, MessageDescriptor
from store.flow.caller import Caller
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


def descriptor_of(found: StoredMessage, now: int) -> MessageDescriptor:
    """The message descriptor of a stored message at `now`: Expiry is what remains, at least 1, or -1."""
    expiry = found.expiry
    if expiry >= 0:
        expiry = max(1, expiry - elapsed_tenths(found.put_at, now))
    descriptor = MessageDescriptor(
        found.report,
        found.msg_type,
        expiry,
        found.feedback,
        found.encoding,
        found.coded_char_set_id,
        found.format,
        found.priority,
        found.persistence,
        found.msg_id,
        found.correl_id or NO_ID,
        found.backout_count,
        found.reply_to_q,
        found.reply_to_q_mgr,
        found.user_identifier,
        found.accounting_token or NO_TOKEN,
        found.appl_identity_data,
        found.put_appl_type,
        found.put_appl_name,
        found.put_date,
        found.put_time,
        found.appl_origin_data,
        found.group_id or NO_ID,
        found.msg_seq_number,
        found.offset,
        found.msg_flags,
        found.original_length,
    )
    descriptor.put_at = found.put_at
    return descriptor
