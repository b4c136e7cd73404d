"""The message descriptor extension, MQMDE (72 bytes): the fields that an MQMD version 1 lacks, carried in the data."""

from __future__ import annotations

from dataclasses import dataclass

from store.descriptor import MessageDescriptor
from store.headers.layout import BYTES, INTEGER, NATIVE, TEXT, HeaderError, Layout, rows

MQMDE = Layout(
    "MQMDE",
    "MDE ",
    2,
    rows(
        (0, 4, TEXT, "struc_id"),
        (4, 4, INTEGER, "version"),
        (8, 4, INTEGER, "struc_length"),
        (12, 4, INTEGER, "encoding"),
        (16, 4, INTEGER, "coded_char_set_id"),
        (20, 8, TEXT, "format"),
        (28, 4, INTEGER, "flags"),
        (32, 24, BYTES, "group_id"),
        (56, 4, INTEGER, "msg_seq_number"),
        (60, 4, INTEGER, "offset"),
        (64, 4, INTEGER, "msg_flags"),
        (68, 4, INTEGER, "original_length"),
    ),
)
LENGTH = MQMDE.length
FORMAT = "MQHMDE"
# What an MQMD takes over when it is whole again.
_CARRIED = (
    *("encoding", "coded_char_set_id", "format"),
    *("group_id", "msg_seq_number", "offset", "msg_flags", "original_length"),
)


@dataclass(frozen=True, slots=True)
class DescriptorExtension:
    """Encoding, CCSID and format are those of the data behind; `group_id` has 24 bytes."""

    encoding: int
    coded_char_set_id: int
    format: str
    group_id: bytes
    msg_seq_number: int = 1
    offset: int = 0
    msg_flags: int = 0
    original_length: int = -1
    flags: int = 0
    struc_length: int = LENGTH


def pack(extension: DescriptorExtension, encoding: int = NATIVE, ccsid: int = 1208) -> bytes:
    """The 72 bytes of the extension."""
    return MQMDE.pack(extension, encoding, ccsid)


def unpack(data: bytes, encoding: int = NATIVE, ccsid: int = 1208, at: int = 0) -> DescriptorExtension:
    """The MQMDE at offset `at`; HeaderError when it is none or gives itself another length."""
    found = DescriptorExtension(**MQMDE.unpack(data, encoding, ccsid, at))
    if found.struc_length != LENGTH:
        raise HeaderError(f"not an MQMDE: StrucLength {found.struc_length} where {LENGTH} is right")
    return found


def unfolded(descriptor: MessageDescriptor, body: bytes) -> tuple[MessageDescriptor, bytes]:
    """A message whose data begins with an MQMDE as an MQMD version 2 has it: the fields filled in, the data behind.

    Other messages, and those whose MQMDE is broken, are what they are.
    """
    if descriptor.format != FORMAT:
        return descriptor, body
    try:
        extension = unpack(body, descriptor.encoding, descriptor.coded_char_set_id)
    except HeaderError:
        return descriptor, body
    whole = descriptor.copy()
    for name in _CARRIED:
        setattr(whole, name, getattr(extension, name))
    return whole, body[LENGTH:]
