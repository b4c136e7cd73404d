"""Messages for another queue manager are stored behind an MQXQH (channels Ch2, mqi-semantics §8)."""

from __future__ import annotations

from store.constants import MQFMT
from store.descriptor import NO_ID, MessageDescriptor
from store.engine.call_context import CallContext
from store.engine.effects import Arrival
from store.headers import mqmde, mqxqh
from store.headers.layout import NATIVE, writable

HEADER_LENGTH = mqxqh.LENGTH
TRANSMISSION_HEADER = str(MQFMT.XMIT_Q_HEADER)
QUEUE_MANAGER = 7
# Report options that only the final queue acts on: MQRO_ACCEPT_UNSUP_IF_XMIT_MASK.
_NOT_HERE = 0x0003FF00


def with_transmission_header(call: CallContext, arrival: Arrival, queue: str, queue_manager: str) -> Arrival:
    """The message as stored on the transmission queue: an MQXQH with the application's MQMD, then its data.

    The separate MQMD has a new MsgId, the application's MsgId as CorrelId, and the queue manager as its origin.
    """
    ccsid = writable(call.qmgr.ccsid)
    data = mqxqh.wrap(mqxqh.CarriedMessage(queue, queue_manager, arrival.descriptor, arrival.body), NATIVE, ccsid)
    outer = arrival.descriptor.copy()
    outer.report &= ~_NOT_HERE
    outer.encoding, outer.coded_char_set_id, outer.format = NATIVE, ccsid, TRANSMISSION_HEADER
    outer.msg_id, outer.correl_id = call.new_identifier(), arrival.descriptor.msg_id
    outer.put_appl_type, outer.put_appl_name = QUEUE_MANAGER, call.qmgr.name[:28]
    outer.put_date = outer.put_time = None
    outer.put_at = call.now
    outer.appl_origin_data = ""
    outer.group_id, outer.msg_seq_number, outer.offset, outer.msg_flags, outer.original_length = NO_ID, 1, 0, 0, -1
    return Arrival(outer, data, arrival.continues)


def extension_length(descriptor: MessageDescriptor) -> int:
    """The bytes between the MQXQH and the data of a message with that descriptor."""
    return mqmde.LENGTH if mqmde.is_needed(descriptor) else 0
