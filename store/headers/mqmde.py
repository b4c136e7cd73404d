"""The message descriptor extension, MQMDE (72 bytes): in the data, the fields that an MQMD version 1 lacks."""

from __future__ import annotations

from msgspec import Struct

from mqsc.store.constants import MQFMT
from mqsc.store.descriptor import NO_ID, DescribedData, MessageDescriptor
from mqsc.store.headers.layout import FIELDS, NATIVE, HeaderError, Layout

MQMDE = Layout("MQMDE", "MDE ", 2, FIELDS["MQMDE"])
EXTENSION_LENGTH = MQMDE.length
EXTENSION_FORMAT = str(MQFMT.MD_EXTENSION)
# The fields that `merge_extension` copies to the MQMD, in their order.
_MERGED = (
    *("encoding", "coded_char_set_id", "format"),
    *("group_id", "msg_seq_number", "offset", "msg_flags", "original_length"),
)


class DescriptorExtension(Struct, frozen=True):
    """Encoding, CCSID and format describe the data after the extension; `group_id` has 24 bytes."""

    encoding: int
    coded_char_set_id: int
    format: str
    group_id: bytes
    msg_seq_number: int = 1
    offset: int = 0
    msg_flags: int = 0
    original_length: int = -1
    flags: int = 0
    struc_length: int = EXTENSION_LENGTH


pack_extension = MQMDE.pack


def unpack_extension(
    data: bytes,
    encoding: int = NATIVE,
    ccsid: int = 1208,
    at: int = 0,
) -> DescriptorExtension:
    """The MQMDE at offset `at`; HeaderError without an MQMDE or if its StrucLength is wrong."""
    extension = DescriptorExtension(**MQMDE.unpack(data, encoding, ccsid, at))
    if extension.struc_length != EXTENSION_LENGTH:
        raise HeaderError(
            f"not an MQMDE: StrucLength {extension.struc_length} instead of {EXTENSION_LENGTH}",
        )
    return extension


def needs_extension(descriptor: MessageDescriptor) -> bool:
    """Whether the descriptor holds group or segment fields, which an MQMD version 1 lacks.

    An OriginalLength alone, which every report has, means nothing without segments (mqi-semantics
    §9).
    """
    d = descriptor
    return (d.group_id, d.msg_seq_number, d.offset, d.msg_flags) != (NO_ID, 1, 0, 0)


def split_extension(
    descriptor: MessageDescriptor,
    body: bytes,
    encoding: int = NATIVE,
    ccsid: int = 1208,
) -> DescribedData:
    """The message with its group and segment fields in an MQMDE before the data, for an MQMD
    version 1.

    `encoding` and `ccsid` are those of the MQMDE. `merge_extension` reverses it.
    """
    extension = DescriptorExtension(*(getattr(descriptor, name) for name in _MERGED))
    first = descriptor.copy()
    first.encoding = encoding
    first.coded_char_set_id = ccsid
    first.format = EXTENSION_FORMAT
    return first, pack_extension(extension, encoding, ccsid) + body


def merge_extension(descriptor: MessageDescriptor, body: bytes) -> DescribedData:
    """The message with the fields of an MQMDE moved from the data to the descriptor, as in an MQMD
    version 2.

    Messages without an MQMDE or with an invalid one are returned unchanged.
    """
    if descriptor.format != EXTENSION_FORMAT:
        return descriptor, body
    try:
        extension = unpack_extension(body, descriptor.encoding, descriptor.coded_char_set_id)
    except HeaderError:
        return descriptor, body
    whole = descriptor.copy()
    for name in _MERGED:
        setattr(whole, name, getattr(extension, name))
    return whole, body[EXTENSION_LENGTH:]
