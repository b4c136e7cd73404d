"""The MQMD of a call, as a descriptor and back; each message needs both, so its fields are read and written at once."""

from __future__ import annotations

import struct

from mqsc.clients.structure import Structure, padded, text
from store.constants import MQRC
from store.descriptor import MessageDescriptor
from store.headers import mqmd
from store.headers.layout import INTEGER, TEXT

FIRST, SECOND = 1, 2
_FIELDS = mqmd.MQMD_2.fields
MQMD = Structure(
    "MD",
    MQRC.MD_ERROR,
    {FIRST: mqmd.MQMD_1.length, SECOND: mqmd.MQMD_2.length},
    *((each.offset, each.length, each.kind, each.name) for each in _FIELDS),
)
# The first two fields are StrucId and Version. The others have the order in which a descriptor takes them.
_HEAD = 2
_TEXTS = tuple(place for place, each in enumerate(_FIELDS) if each.kind == TEXT and place >= _HEAD)


def _codes(version: int) -> struct.Struct:
    fields = mqmd.VERSIONS[version].fields
    return struct.Struct("<" + "".join("i" if each.kind == INTEGER else f"{each.length}s" for each in fields))


_STRUCTS = {FIRST: _codes(FIRST), SECOND: _codes(SECOND)}


def read(data: object) -> tuple[int, MessageDescriptor]:
    """The version and the descriptor; MQError 2026 for NULL, another StrucId, an unknown version, or too few bytes."""
    version = MQMD.version(data)
    assert isinstance(data, bytes)
    values = list(_STRUCTS[version].unpack_from(data))
    for place in _TEXTS:
        values[place] = text(values[place])
    return version, MessageDescriptor(*values[_HEAD:])


def write(data: bytes, version: int, descriptor: MessageDescriptor) -> bytes:
    """The MQMD of this version with the fields of the descriptor; `data` is the one that the program passed."""
    d = descriptor
    values = [
        d.report,
        d.msg_type,
        d.expiry,
        d.feedback,
        d.encoding,
        d.coded_char_set_id,
        padded(d.format, 8),
        d.priority,
        d.persistence,
        d.msg_id,
        d.correl_id,
        d.backout_count,
        padded(d.reply_to_q, 48),
        padded(d.reply_to_q_mgr, 48),
        padded(d.user_identifier, 12),
        d.accounting_token,
        padded(d.appl_identity_data, 32),
        d.put_appl_type,
        padded(d.put_appl_name, 28),
        padded(d.put_date, 8),
        padded(d.put_time, 8),
        padded(d.appl_origin_data, 4),
    ]
    if version == SECOND:
        values += [d.group_id, d.msg_seq_number, d.offset, d.msg_flags, d.original_length]
    packer = _STRUCTS[version]
    return packer.pack(data[:4], version, *values) + data[packer.size :]
