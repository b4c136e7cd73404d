"""Messages for another queue manager are stored behind an MQXQH (channels Ch2, mqi-semantics §8)."""

from __future__ import annotations

from store.descriptor import NO_ID, MessageDescriptor
from store.engine.call_context import CallContext
from store.engine.effects import Arrival
from store.headers import mqmde, mqxqh
from store.headers.layout import NATIVE, writable

HEADER_LENGTH = mqxqh.LENGTH
TRANSMISSION_HEADER, EXTENSION = "MQXMIT", "MQHMDE"
QUEUE_MANAGER = 7
# Report options that only the final queue acts on: MQRO_ACCEPT_UNSUP_IF_XMIT_MASK.
_NOT_HERE = 0x0003FF00


def with_transmission_header(call: CallContext, arrival: Arrival, queue: str, queue_manager: str) -> Arrival:
    """The message as stored on the transmission queue: an MQXQH with the application's MQMD, then its data.

    The separate MQMD has a new MsgId, the application's MsgId as CorrelId, and the queue manager as its origin.
    """
    embedded, body = arrival.descriptor, arrival.body
    ccsid = writable(call.qmgr.ccsid)
    if _needs_extension(embedded):
        embedded, body = _with_extension(embedded, body, ccsid)
    header = mqxqh.pack(mqxqh.TransmissionHeader(queue, queue_manager, embedded), NATIVE, ccsid)
    outer = arrival.descriptor.copy()
    outer.report &= ~_NOT_HERE
    outer.encoding, outer.coded_char_set_id, outer.format = NATIVE, ccsid, TRANSMISSION_HEADER
    outer.msg_id, outer.correl_id = call.new_identifier(), arrival.descriptor.msg_id
    outer.put_appl_type, outer.put_appl_name = QUEUE_MANAGER, call.qmgr.name[:28]
    outer.put_date = outer.put_time = None
    outer.put_at = call.now
    outer.appl_origin_data = ""
    outer.group_id, outer.msg_seq_number, outer.offset, outer.msg_flags, outer.original_length = NO_ID, 1, 0, 0, -1
    return Arrival(outer, header + body, arrival.continues)


def extension_length(descriptor: MessageDescriptor) -> int:
    """The bytes between the MQXQH and the data of a message with that descriptor."""
    return mqmde.LENGTH if _needs_extension(descriptor) else 0


def _needs_extension(descriptor: MessageDescriptor) -> bool:
    """Whether the descriptor holds group or segment fields, which an MQMD version 1 lacks.

    An OriginalLength alone, which every report has, means nothing without segments (mqi-semantics §9).
    """
    d = descriptor
    return (d.group_id, d.msg_seq_number, d.offset, d.msg_flags) != (NO_ID, 1, 0, 0)


def _with_extension(descriptor: MessageDescriptor, body: bytes, ccsid: int) -> tuple[MessageDescriptor, bytes]:
    d = descriptor
    extension = mqmde.DescriptorExtension(
        d.encoding,
        d.coded_char_set_id,
        d.format,
        d.group_id,
        d.msg_seq_number,
        d.offset,
        d.msg_flags,
        d.original_length,
    )
    embedded = d.copy()
    embedded.encoding, embedded.coded_char_set_id, embedded.format = NATIVE, ccsid, EXTENSION
    return embedded, mqmde.pack(extension, NATIVE, ccsid) + body
