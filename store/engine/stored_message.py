"""A message as it is stored: its descriptor, and the transmission header before its data."""

from typing import Any

from mqsc.store.constants import MQFMT
from mqsc.store.descriptor import FIELDS, NO_ID, NO_TOKEN, MessageDescriptor
from mqsc.store.engine.effects import Arrival
from mqsc.store.engine.state import CallContext
from mqsc.store.headers import mqmde, mqxqh
from mqsc.store.headers.layout import NATIVE, writable
from mqsc.store.rules.expiry import elapsed_tenths
from mqsc.store.sql.rows import StoredMessage

# A row holds the fields of the descriptor next to each other, in order (a test compares).
_FIRST = StoredMessage._fields.index(FIELDS[0])
DESCRIPTOR = slice(_FIRST, _FIRST + len(FIELDS))


def descriptor_of(stored_message: StoredMessage, now: int) -> MessageDescriptor:
    """The descriptor of a stored message at `now`: Expiry is the time that remains, at least 1,
    or -1.
    """
    row: tuple[Any, ...] = stored_message
    fields = (*row[DESCRIPTOR], stored_message.put_at)
    descriptor = MessageDescriptor(*fields)
    if descriptor.expiry >= 0:
        descriptor.expiry = max(1, descriptor.expiry - elapsed_tenths(stored_message.put_at, now))
    descriptor.correl_id = stored_message.correl_id or NO_ID
    descriptor.accounting_token = stored_message.accounting_token or NO_TOKEN
    descriptor.group_id = stored_message.group_id or NO_ID
    return descriptor


HEADER_LENGTH = mqxqh.LENGTH
TRANSMISSION_HEADER = str(MQFMT.XMIT_Q_HEADER)
QUEUE_MANAGER = 7
# Report options that only the final queue acts on: MQRO_ACCEPT_UNSUP_IF_XMIT_MASK.
_NOT_HERE = 0x0003FF00


def with_transmission_header(
    call: CallContext,
    arrival: Arrival,
    queue: str,
    queue_manager: str,
) -> Arrival:
    """The message as stored on the transmission queue: an MQXQH with the application's MQMD, then
    its data.

    The separate MQMD has a new MsgId, the application's MsgId as CorrelId, and the queue manager as
    its origin.
    """
    ccsid = writable(call.qmgr.ccsid)
    data = mqxqh.wrap(
        mqxqh.CarriedMessage(queue, queue_manager, arrival.descriptor, arrival.body),
        NATIVE,
        ccsid,
    )
    outer = arrival.descriptor.copy()
    outer.report &= ~_NOT_HERE
    outer.encoding = NATIVE
    outer.coded_char_set_id = ccsid
    outer.format = TRANSMISSION_HEADER
    outer.msg_id, outer.correl_id = call.new_identifier(), arrival.descriptor.msg_id
    outer.put_appl_type, outer.put_appl_name = QUEUE_MANAGER, call.qmgr.name[:28]
    outer.put_date = outer.put_time = None
    outer.put_at = call.now
    outer.appl_origin_data = ""
    outer.group_id = NO_ID
    outer.msg_seq_number = 1
    outer.offset = 0
    outer.msg_flags = 0
    outer.original_length = -1
    return Arrival(outer, data, arrival.continues)


def extension_length(descriptor: MessageDescriptor) -> int:
    """The bytes between the MQXQH and the data of a message with that descriptor."""
    return mqmde.EXTENSION_LENGTH if mqmde.needs_extension(descriptor) else 0
