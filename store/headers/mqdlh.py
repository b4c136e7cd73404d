"""The dead-letter header, MQDLH (172 bytes): why a message could not be delivered, and the format of its data."""

from __future__ import annotations

from msgspec import Struct

from mqsc.store.headers.layout import FIELDS, NATIVE, Layout

MQDLH = Layout("MQDLH", "DLH ", 1, FIELDS["MQDLH"])
MQDLH_LENGTH = MQDLH.length


class DeadLetterHeader(Struct, frozen=True):
    """`reason` is an MQRC or MQFB; encoding, CCSID and format describe the data after the header.

    The put fields identify the program that put the message on the dead-letter queue, and when.
    """

    reason: int
    dest_q_name: str
    dest_q_mgr_name: str
    encoding: int
    coded_char_set_id: int
    format: str
    put_appl_type: int
    put_appl_name: str
    put_date: str
    put_time: str


pack_mqdlh = MQDLH.pack


def unpack_mqdlh(data: bytes, encoding: int = NATIVE, ccsid: int = 1208) -> DeadLetterHeader:
    """The MQDLH at the start of the data, in the encoding and CCSID of the MQMD; HeaderError
    without an MQDLH.
    """
    return DeadLetterHeader(**MQDLH.unpack(data, encoding, ccsid))
