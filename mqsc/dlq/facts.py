"""What a rule can test: the fields of a dead letter."""

from __future__ import annotations

from typing import NamedTuple

from store.descriptor import MessageDescriptor
from store.headers.mqdlh import DeadLetterHeader


class DeadLetterFacts(NamedTuple):
    """The thirteen fields that patterns are compared with (dlq-rules §2.2); strings without padding.

    A NamedTuple because one is created for every message, and a frozen dataclass costs six times as much.
    """

    appl_identity_data: str
    put_appl_name: str
    put_appl_type: int
    dest_q_name: str
    dest_q_mgr_name: str
    feedback: int
    format: str
    msg_type: int
    persistence: int
    reason: int
    reply_to_q: str
    reply_to_q_mgr: str
    user_identifier: str


def facts_of(descriptor: MessageDescriptor, header: DeadLetterHeader) -> DeadLetterFacts:
    """Reason, destination and format come from the MQDLH, everything else from the MQMD (traps 1, 2)."""
    return DeadLetterFacts(
        descriptor.appl_identity_data,
        descriptor.put_appl_name,
        descriptor.put_appl_type,
        header.dest_q_name,
        header.dest_q_mgr_name,
        descriptor.feedback,
        header.format,
        descriptor.msg_type,
        descriptor.persistence,
        header.reason,
        descriptor.reply_to_q,
        descriptor.reply_to_q_mgr,
        descriptor.user_identifier,
    )
