"""How a message is changed to be put on a dead-letter queue (mqi-semantics §8, expiry A1)."""

from __future__ import annotations

from typing import NamedTuple

from store.constants import MQFMT
from store.descriptor import MessageDescriptor
from store.headers import mqdlh
from store.headers.layout import NATIVE, writable
from store.put_timestamp import put_date_and_time

DEAD_LETTER_HEADER = str(MQFMT.DEAD_LETTER_HEADER)


class DeliveryFailure(NamedTuple):
    """Why a message could not be delivered, an MQRC or MQFB, and the queue and queue manager that it was for."""

    reason: int
    queue: str
    queue_manager: str


def dead_letter(
    descriptor: MessageDescriptor,
    body: bytes,
    failure: DeliveryFailure,
    *,
    put_appl_type: int,
    put_appl_name: str,
    now: int,
    coded_char_set_id: int,
) -> tuple[MessageDescriptor, bytes]:
    """Descriptor and data for the dead-letter queue: the data with an MQDLH in front.

    Only Format, Encoding and CodedCharSetId of the descriptor change, so the caller must already have set Expiry to the
    remaining time. `put_appl_type` and `put_appl_name` identify the program that puts the message on the dead-letter
    queue at `now` (microseconds UTC). The header is written in `coded_char_set_id`, usually that of the queue manager,
    or in 1208 if no header can be written in it.
    """
    ccsid = writable(coded_char_set_id)
    header = mqdlh.DeadLetterHeader(
        *failure,
        descriptor.encoding,
        descriptor.coded_char_set_id or coded_char_set_id,
        descriptor.format,
        put_appl_type,
        put_appl_name,
        *put_date_and_time(now),
    )
    placed = descriptor.copy()
    placed.format = DEAD_LETTER_HEADER
    placed.encoding = NATIVE
    placed.coded_char_set_id = ccsid
    return placed, mqdlh.pack(header, NATIVE, ccsid) + body
