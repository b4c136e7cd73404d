"""The MQMD of a call, as a descriptor and back; each message needs both, so its fields are read and written at once."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from mqsc.clients.structure import Structure, padded
from store.constants import MQRC
from store.descriptor import MessageDescriptor
from store.headers import mqmd
from store.headers.layout import INTEGER, Field

FIRST, SECOND = 1, 2
_FIELDS = mqmd.MQMD_2.fields
MQMD = Structure("MD", MQRC.MD_ERROR, {FIRST: mqmd.MQMD_1.length, SECOND: mqmd.MQMD_2.length}, *_FIELDS)
_NAMES = [each.name for each in _FIELDS]
# The first two are StrucId and Version; the others have the order in which a descriptor takes them.
_HEAD = 2
_READ = MQMD.reader(*_NAMES[_HEAD:])
# These fields, from ReplyToQ to PutApplName, are next to each other and the same for most messages of a program.
_ORIGIN = slice(_NAMES.index("reply_to_q"), _NAMES.index("put_date"))


def _codes(fields: Sequence[Field]) -> str:
    return "".join("i" if each.kind == INTEGER else f"{each.length}s" for each in fields)


_ORIGIN_STRUCT = struct.Struct(f"<{_codes(_FIELDS[_ORIGIN])}")


def _struct(version: int) -> struct.Struct:
    """For an MQMD whose origin is one piece."""
    fields = mqmd.VERSIONS[version].fields
    before, after = _codes(fields[: _ORIGIN.start]), _codes(fields[_ORIGIN.stop :])
    return struct.Struct(f"<{before}{_ORIGIN_STRUCT.size}s{after}")


_STRUCTS = {FIRST: _struct(FIRST), SECOND: _struct(SECOND)}


def read(data: object) -> tuple[int, MessageDescriptor]:
    """The version and the descriptor; MQError 2026 for NULL, another StrucId, an unknown version, or too few bytes."""
    version, values = _values(MQMD.checked(data))
    return version, MessageDescriptor(*values)


# Many programs pass a new MQMD with every message, and so the same bytes.
@lru_cache(maxsize=256)
def _values(data: bytes) -> tuple[int, tuple[Any, ...]]:
    version = MQMD.version(data)
    return version, _READ(data)[: len(mqmd.VERSIONS[version].fields) - _HEAD]


@lru_cache(maxsize=256)
def _origin_bytes(
    reply_to_q: str, reply_to_q_mgr: str, user: str, accounting_token: bytes, identity_data: str, type: int, name: str
) -> bytes:
    return _ORIGIN_STRUCT.pack(
        padded(reply_to_q, 48),
        padded(reply_to_q_mgr, 48),
        padded(user, 12),
        accounting_token,
        padded(identity_data, 32),
        type,
        padded(name, 28),
    )


def write(data: bytes, version: int, descriptor: MessageDescriptor) -> bytes:
    """The MQMD of this version with the fields of the descriptor; `data` is the one that the program passed."""
    d = descriptor
    segment = (d.group_id, d.msg_seq_number, d.offset, d.msg_flags, d.original_length) if version == SECOND else ()
    packer = _STRUCTS[version]
    packed = packer.pack(
        data[:4],
        version,
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
        _origin_bytes(
            d.reply_to_q,
            d.reply_to_q_mgr,
            d.user_identifier,
            d.accounting_token,
            d.appl_identity_data,
            d.put_appl_type,
            d.put_appl_name,
        ),
        padded(d.put_date, 8),
        padded(d.put_time, 8),
        padded(d.appl_origin_data, 4),
        *segment,
    )
    return packed + data[packer.size :]
