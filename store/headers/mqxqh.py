"""The header before message data on transmission queues (MQXQH)."""

import struct
from types import SimpleNamespace
from typing import NamedTuple

from msgspec import Struct, structs

from mqsc.store.constants import MQFB, MQFMT
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqmd, mqmde
from mqsc.store.headers.layout import FIELDS, NATIVE, HeaderError, Layout, byte_order, read_integer

MQXQH = Layout("MQXQH", "XQH ", 1, FIELDS["MQXQH"])
LENGTH = MQXQH.length
FORMAT = str(MQFMT.XMIT_Q_HEADER)
_MSG_DESC = MQXQH.offset_of("msg_desc")
EXPIRY = _MSG_DESC + mqmd.MQMD_1.offset_of("expiry")
_EXPIRY_END = EXPIRY + 4


class TransmissionHeader(Struct, frozen=True):
    """The remote destination of a message, and the descriptor that it has there."""

    remote_q_name: str
    remote_q_mgr_name: str
    descriptor: MessageDescriptor


def pack(header: TransmissionHeader, encoding: int = NATIVE, ccsid: int = 1208) -> bytes:
    """The MQXQH of a message; `encoding` and `ccsid` are those of the outer MQMD."""
    embedded = mqmd.pack(header.descriptor, 1, encoding, ccsid)
    return MQXQH.pack(
        SimpleNamespace(**{**structs.asdict(header), "msg_desc": embedded}),
        encoding,
        ccsid,
    )


def unpack(data: bytes, encoding: int = NATIVE, ccsid: int = 1208) -> TransmissionHeader:
    """The MQXQH at the start of the data; HeaderError without a valid MQXQH and embedded MQMD."""
    header = MQXQH.unpack(data, encoding, ccsid)
    descriptor = mqmd.unpack(header["msg_desc"], encoding, ccsid)
    return TransmissionHeader(header["remote_q_name"], header["remote_q_mgr_name"], descriptor)


def embedded_expiry(data: bytes, encoding: int) -> int | None:
    """The Expiry at offsets 120 to 123, or None if the data is shorter."""
    return None if len(data) < _EXPIRY_END else read_integer(data, EXPIRY, encoding)


def with_embedded_expiry(data: bytes, expiry: int, encoding: int) -> bytes:
    """The data with another Expiry at offsets 120 to 123, which must exist."""
    return data[:EXPIRY] + struct.pack(byte_order(encoding) + "i", expiry) + data[_EXPIRY_END:]


class CarriedMessage(NamedTuple):
    """A message for another queue manager: its destination there, and descriptor and data as
    they were put.
    """

    remote_q_name: str
    remote_q_mgr_name: str
    descriptor: MessageDescriptor
    body: bytes


class NotCarried(NamedTuple):
    """Why a message on a transmission queue cannot be sent: an MQFB, and the fault in words."""

    reason: int
    fault: str


def wrap(carried: CarriedMessage, encoding: int = NATIVE, ccsid: int = 1208) -> bytes:
    """The data on the transmission queue: MQXQH, an MQMDE if the message has group or segment
    fields, the message.

    `encoding` and `ccsid` are those of the outer MQMD.
    """
    descriptor, body = carried.descriptor, carried.body
    if mqmde.needs_extension(descriptor):
        descriptor, body = mqmde.split_extension(descriptor, body, encoding, ccsid)
    return pack(TransmissionHeader(*carried[:2], descriptor), encoding, ccsid) + body


def unwrap(outer: MessageDescriptor, data: bytes) -> CarriedMessage | NotCarried:
    """The message in data from a transmission queue, whose MQMD is `outer`.

    NotCarried with MQFB_XMIT_Q_MSG_ERROR (271) for another format, a truncated or invalid MQXQH,
    and an embedded MQMD with a value that no MQMD can hold. The names are not checked: the
    destination refuses what it does not know.
    """
    if outer.format != FORMAT:
        return _not_carried(f"Format is {outer.format!r} instead of {FORMAT!r}")
    try:
        header = unpack(data, outer.encoding, outer.coded_char_set_id)
    except HeaderError as error:
        return _not_carried(str(error))
    descriptor, body = mqmde.merge_extension(header.descriptor, data[LENGTH:])
    unfit = mqmd.descriptor_fault(descriptor)
    if unfit:
        return _not_carried(f"in the embedded MQMD, {unfit}")
    return CarriedMessage(header.remote_q_name, header.remote_q_mgr_name, descriptor, body)


def _not_carried(fault: str) -> NotCarried:
    return NotCarried(int(MQFB.XMIT_Q_MSG_ERROR), fault)
