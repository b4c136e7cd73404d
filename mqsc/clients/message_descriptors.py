"""The MQMD of a call, as a descriptor and back; each message needs both, so its fields are read_descriptor and
written at once.
"""

import struct
from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any

from mqsc.clients.structures import Structure, padded
from mqsc.store.constants import MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqmd
from mqsc.store.headers.layout import INTEGER, Field

FIRST, SECOND = 1, 2
_FIELDS = mqmd.MQMD_2.fields
MQMD = Structure(
    "MD",
    MQRC.MD_ERROR,
    {FIRST: mqmd.MQMD_1.length, SECOND: mqmd.MQMD_2.length},
    *_FIELDS,
)
_NAMES = [field.name for field in _FIELDS]
# The first two are StrucId and Version; the others have the order in which a descriptor takes them.
_HEAD = 2
_READ = MQMD.reader(*_NAMES[_HEAD:])
_FORMAT = _NAMES.index("format")
# These fields, from ReplyToQ to PutApplName, are next to each other and the same for most messages
# of a program.
_ORIGIN = slice(_NAMES.index("reply_to_q"), _NAMES.index("put_date"))


def _codes(fields: Sequence[Field]) -> str:
    return "".join("i" if field.kind == INTEGER else f"{field.length}s" for field in fields)


_ORIGIN_STRUCT = struct.Struct(f"<{_codes(_FIELDS[_ORIGIN])}")


def _struct(version: int) -> struct.Struct:
    """For an MQMD whose origin is one piece."""
    fields = mqmd.VERSIONS[version].fields
    before, after = _codes(fields[: _ORIGIN.start]), _codes(fields[_ORIGIN.stop :])
    return struct.Struct(f"<{before}{_ORIGIN_STRUCT.size}s{after}")


_STRUCTS = {FIRST: _struct(FIRST), SECOND: _struct(SECOND)}


def read_descriptor(data: object) -> tuple[int, MessageDescriptor]:
    """The version and the descriptor; MQError 2026 for NULL, another StrucId, an unknown
    version, or too few bytes.
    """
    version, values = _values(MQMD.checked(data))
    return version, MessageDescriptor(*values)


# Many programs pass a new MQMD with every message, and so the same bytes.
@lru_cache(maxsize=256)
def _values(data: bytes) -> tuple[int, tuple[Any, ...]]:
    version = MQMD.version(data)
    return version, _READ(data)[: len(mqmd.VERSIONS[version].fields) - _HEAD]


@lru_cache(maxsize=256)
def _origin_bytes(*values: int | str | bytes) -> bytes:
    fields = zip(values, _FIELDS[_ORIGIN], strict=True)
    return _ORIGIN_STRUCT.pack(
        *(
            padded(value, each.length) if isinstance(value, str) else value
            for value, each in fields
        ),
    )


_BEFORE_FORMAT = attrgetter(*_NAMES[_HEAD:_FORMAT])
_AFTER_FORMAT = attrgetter(*_NAMES[_FORMAT + 1 : _ORIGIN.start])
_OF_ORIGIN = attrgetter(*_NAMES[_ORIGIN])
_OF_SEGMENT = attrgetter(*_NAMES[len(mqmd.MQMD_1.fields) :])


def write_descriptor(data: bytes, version: int, descriptor: MessageDescriptor) -> bytes:
    """The MQMD of this version with the fields of the descriptor; `data` is the one that the
    program passed.
    """
    d = descriptor
    packer = _STRUCTS[version]
    packed = packer.pack(
        data[:4],
        version,
        *_BEFORE_FORMAT(d),
        padded(d.format, 8),
        *_AFTER_FORMAT(d),
        _origin_bytes(*_OF_ORIGIN(d)),
        padded(d.put_date, 8),
        padded(d.put_time, 8),
        padded(d.appl_origin_data, 4),
        *(_OF_SEGMENT(d) if version == SECOND else ()),
    )
    return packed + data[packer.size :]
