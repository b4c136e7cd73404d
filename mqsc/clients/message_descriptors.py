"""The MQMD of a call, as a descriptor and back; each message needs both, so its fields are read
and written several at a time.
"""

import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import attrgetter

from mqsc.clients.structures import Structure, padded
from mqsc.store.constants import MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqmd
from mqsc.store.headers.layout import INTEGER, Field
from mqsc.store.message_times import HUNDREDTH, put_date_and_time

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
# The fields of an MQMD version 1 but the times and ApplOriginData, which are in between: those that
# differ from message to message, and those that are the same for most messages of a program.
_MESSAGE = slice(0, _NAMES.index("reply_to_q"))
_ORIGIN = slice(_NAMES.index("reply_to_q"), _NAMES.index("put_date"))
# Those that version 2 adds.
_SEGMENT = slice(len(mqmd.MQMD_1.fields), None)


def read_descriptor(data: object) -> tuple[int, MessageDescriptor]:
    """The version and the descriptor, which must not be changed; MQError 2026 for NULL, another
    StrucId, an unknown version, or too few bytes.
    """
    return _read_descriptor(MQMD.checked(data))


# Many programs pass a new MQMD with every message, and so the same bytes.
@lru_cache(maxsize=256)
def _read_descriptor(data: bytes) -> tuple[int, MessageDescriptor]:
    version = MQMD.version(data)
    values = _READ(data)[: len(mqmd.VERSIONS[version].fields) - _HEAD]
    return version, MessageDescriptor(*values)


def _packer(fields: Sequence[Field]) -> Callable[..., bytes]:
    codes = ("i" if field.kind == INTEGER else f"{field.length}s" for field in fields)
    return struct.Struct(f"<{''.join(codes)}").pack


_pack_message = _packer(_FIELDS[_MESSAGE])
_pack_origin = _packer(_FIELDS[_ORIGIN])
_pack_segment = _packer(_FIELDS[_SEGMENT])
_origin_of = attrgetter(*_NAMES[_ORIGIN])


@lru_cache(maxsize=256)
def _origin_bytes(values: tuple[int | str | bytes, ...]) -> bytes:
    fields = zip(values, _FIELDS[_ORIGIN], strict=True)
    return _pack_origin(
        *(
            padded(value, each.length) if isinstance(value, str) else value
            for value, each in fields
        ),
    )


def _time_bytes(descriptor: MessageDescriptor) -> bytes:
    """PutDate and PutTime."""
    is_given = descriptor.given_put_date is not None or descriptor.given_put_time is not None
    if is_given or descriptor.put_at is None:
        return padded(descriptor.put_date, 8) + padded(descriptor.put_time, 8)
    return _hundredth_bytes(descriptor.put_at // HUNDREDTH)


# Messages come in bursts, many of them within a hundredth of a second.
@lru_cache(maxsize=64)
def _hundredth_bytes(hundredths: int) -> bytes:
    return "".join(put_date_and_time(hundredths * HUNDREDTH)).encode()


def write_descriptor(data: bytes, version: int, descriptor: MessageDescriptor) -> bytes:
    """The MQMD of this version with the fields of the descriptor; `data` is the one that the
    program passed.
    """
    d = descriptor
    written = _pack_message(
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
    )
    written += _origin_bytes(_origin_of(d)) + _time_bytes(d) + padded(d.appl_origin_data, 4)
    if version == SECOND:
        written += _pack_segment(
            d.group_id,
            d.msg_seq_number,
            d.offset,
            d.msg_flags,
            d.original_length,
        )
    return written + data[len(written) :]
