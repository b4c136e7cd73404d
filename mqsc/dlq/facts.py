"""What the patterns of a rule look at in a dead letter (dlq-rules §2.2)."""

from __future__ import annotations

from operator import attrgetter
from typing import NamedTuple

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers.mqdlh import DeadLetterHeader


class DeadLetterFacts(NamedTuple):
    """The thirteen fields that patterns are compared with (dlq-rules §2.2); strings without
    padding.

    A NamedTuple because one is created for every message, and a frozen dataclass costs six times as
    much.
    """

    appl_identity_data: str
    put_appl_name: str
    put_appl_type: int
    feedback: int
    msg_type: int
    persistence: int
    reply_to_q: str
    reply_to_q_mgr: str
    user_identifier: str
    # From here on they are those of the MQDLH.
    dest_q_name: str
    dest_q_mgr_name: str
    format: str
    reason: int


_OF_DESCRIPTOR, _OF_HEADER = (
    attrgetter(*DeadLetterFacts._fields[part]) for part in (slice(9), slice(9, None))
)


def facts_of(descriptor: MessageDescriptor, header: DeadLetterHeader) -> DeadLetterFacts:
    """Reason, destination and format come from the MQDLH, everything else from the MQMD
    (dlq-rules §7, 1 and 2).
    """
    return DeadLetterFacts(*_OF_DESCRIPTOR(descriptor), *_OF_HEADER(header))
