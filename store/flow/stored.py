"""A stored message as a message descriptor."""

from __future__ import annotations

from store.descriptor import NO_ID, NO_TOKEN, MessageDescriptor
from store.rules.expiry import elapsed_tenths
from store.sql.rows import StoredMessage


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
