"""What a message becomes on its way to a dead-letter queue (mqi-semantics §8, expiry A1)."""

from __future__ import annotations

from store.descriptor import MessageDescriptor
from store.headers import mqdlh
from store.headers.layout import NATIVE, writable
from store.put_timestamp import put_date_and_time

DEAD_LETTER_HEADER = "MQDEAD"


def dead_letter(
    descriptor: MessageDescriptor,
    body: bytes,
    *,
    reason: int,
    destination_queue: str,
    destination_queue_manager: str,
    put_appl_type: int,
    put_appl_name: str,
    now: int,
    coded_char_set_id: int,
) -> tuple[MessageDescriptor, bytes]:
    """Descriptor and data for the dead-letter queue: an MQDLH in front, and an MQMD that says so.

    Only Format, Encoding and CodedCharSetId of the descriptor change: its Expiry must be the remaining one, its context
    stays. `reason` is an MQRC or MQFB; `put_appl_type` and `put_appl_name` are those of whoever writes to the queue at
    `now` (microseconds UTC); the header is in `coded_char_set_id`, as a rule the queue manager's, where it can be.
    """
    ccsid = writable(coded_char_set_id)
    put_date, put_time = put_date_and_time(now)
    header = mqdlh.DeadLetterHeader(
        reason,
        destination_queue,
        destination_queue_manager,
        descriptor.encoding,
        descriptor.coded_char_set_id or coded_char_set_id,
        descriptor.format,
        put_appl_type,
        put_appl_name,
        put_date,
        put_time,
    )
    placed = descriptor.copy()
    placed.format = DEAD_LETTER_HEADER
    placed.encoding = NATIVE
    placed.coded_char_set_id = ccsid
    return placed, mqdlh.pack(header, NATIVE, ccsid) + body
