"""The transmission-queue header, MQXQH (428 bytes): the remote destination and the application's MQMD, version 1."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from store.descriptor import MessageDescriptor
from store.headers import mqmd
from store.headers.layout import BYTES, INTEGER, NATIVE, TEXT, Layout, byte_order, read_integer, rows

MQXQH = Layout(
    "MQXQH",
    "XQH ",
    1,
    rows(
        (0, 4, TEXT, "struc_id"),
        (4, 4, INTEGER, "version"),
        (8, 48, TEXT, "remote_q_name"),
        (56, 48, TEXT, "remote_q_mgr_name"),
        (104, 324, BYTES, "msg_desc"),
    ),
)
LENGTH = MQXQH.length
_MSG_DESC = MQXQH.offset_of("msg_desc")
EXPIRY = _MSG_DESC + mqmd.MQMD_1.offset_of("expiry")
_EXPIRY_END = EXPIRY + 4


@dataclass(frozen=True, slots=True)
class TransmissionHeader:
    """The remote destination of a message, and the descriptor that it has there."""

    remote_q_name: str
    remote_q_mgr_name: str
    descriptor: MessageDescriptor


@dataclass(frozen=True, slots=True)
class _Parts:
    remote_q_name: str
    remote_q_mgr_name: str
    msg_desc: bytes


def pack(header: TransmissionHeader, encoding: int = NATIVE, ccsid: int = 1208) -> bytes:
    """The MQXQH of a message; `encoding` and `ccsid` are those of the outer MQMD."""
    embedded = mqmd.pack(header.descriptor, 1, encoding, ccsid)
    return MQXQH.pack(_Parts(header.remote_q_name, header.remote_q_mgr_name, embedded), encoding, ccsid)


def unpack(data: bytes, encoding: int = NATIVE, ccsid: int = 1208) -> TransmissionHeader:
    """The MQXQH at the start of the data; HeaderError without a valid MQXQH and embedded MQMD."""
    found = MQXQH.unpack(data, encoding, ccsid)
    descriptor = mqmd.unpack(found["msg_desc"], encoding, ccsid)
    return TransmissionHeader(found["remote_q_name"], found["remote_q_mgr_name"], descriptor)


def check(data: bytes, encoding: int = NATIVE, ccsid: int = 1208) -> None:
    """Raise HeaderError if the data does not begin with a complete MQXQH, version 1."""
    MQXQH.check(data, encoding, ccsid)


def embedded_expiry(data: bytes, encoding: int) -> int | None:
    """The Expiry at offsets 120 to 123, or None if the data is shorter."""
    return None if len(data) < _EXPIRY_END else read_integer(data, EXPIRY, encoding)


def with_embedded_expiry(data: bytes, expiry: int, encoding: int) -> bytes:
    """The data with another Expiry at offsets 120 to 123, which must exist."""
    return data[:EXPIRY] + struct.pack(byte_order(encoding) + "i", expiry) + data[_EXPIRY_END:]
