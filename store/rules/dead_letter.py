"""How a message is changed to be put on a dead-letter queue (mqi-semantics §8, expiry A1)."""

from typing import NamedTuple

from mqsc.store.constants import MQAT, MQFMT
from mqsc.store.descriptor import DescribedData, MessageDescriptor
from mqsc.store.headers import layout, mqdlh
from mqsc.store.message_times import put_date_and_time
from mqsc.store.rules.made_message import PUT_APPL_NAME_LENGTH, QUEUE_MANAGER

DEAD_LETTER_HEADER = str(MQFMT.DEAD_LETTER_HEADER)
PROGRAM = int(MQAT.UNIX)


class DeliveryFailure(NamedTuple):
    """Why a message could not be delivered, an MQRC or MQFB, and the queue and queue manager
    that it was for.
    """

    reason: int
    queue: str
    queue_manager: str


class DeadLetterPut(NamedTuple):
    """The program that puts a message on the dead-letter queue, when (microseconds UTC), and a
    CCSID for the header.
    """

    appl_type: int
    appl_name: str
    now: int
    coded_char_set_id: int


def put_by_queue_manager(name: str, now: int, coded_char_set_id: int) -> DeadLetterPut:
    """A put on the dead-letter queue by the queue manager itself."""
    return DeadLetterPut(QUEUE_MANAGER, name[:PUT_APPL_NAME_LENGTH], now, coded_char_set_id)


def put_by_program(application: str, now: int, coded_char_set_id: int) -> DeadLetterPut:
    """A put on the dead-letter queue by a program."""
    return DeadLetterPut(PROGRAM, application[:PUT_APPL_NAME_LENGTH], now, coded_char_set_id)


def dead_letter(
    descriptor: MessageDescriptor,
    body: bytes,
    failure: DeliveryFailure,
    put: DeadLetterPut,
) -> DescribedData:
    """Descriptor and data for the dead-letter queue: the data with an MQDLH in front.

    Only Format, Encoding and CodedCharSetId of the descriptor change, so the caller must already
    have set Expiry to the remaining time. The header is written in the CCSID of `put`, usually that
    of the queue manager, or in 1208 if no header can be written in it.
    """
    ccsid = layout.writable(put.coded_char_set_id)
    header = mqdlh.DeadLetterHeader(
        *failure,
        descriptor.encoding,
        descriptor.coded_char_set_id or put.coded_char_set_id,
        descriptor.format,
        put.appl_type,
        put.appl_name,
        *put_date_and_time(put.now),
    )
    placed = descriptor.copy()
    placed.format = DEAD_LETTER_HEADER
    placed.encoding = layout.NATIVE
    placed.coded_char_set_id = ccsid
    return placed, mqdlh.pack_mqdlh(header, layout.NATIVE, ccsid) + body
