"""The message descriptor as bytes (MQMD)."""

import struct
from functools import lru_cache
from operator import attrgetter, gt

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers.layout import (
    BYTES,
    CONSTANT,
    FIELDS,
    INTEGER,
    NATIVE,
    TEXT,
    HeaderError,
    Layout,
    header_codec,
)

_OF_VERSION_1 = 24
MQMD_1 = Layout("MQMD", "MD  ", 1, FIELDS["MQMD"][:_OF_VERSION_1])
MQMD_2 = Layout("MQMD", "MD  ", 2, FIELDS["MQMD"])
VERSIONS = {1: MQMD_1, 2: MQMD_2}
_FIELDS = {field.name: field for field in MQMD_2.fields}
_LOWEST, _HIGHEST = -(1 << 31), (1 << 31) - 1
_TYPES: dict[str, type[int | str | bytes]] = {INTEGER: int, TEXT: str, BYTES: bytes}
_DATES = ("put_date", "put_time")


def _names(kind: str) -> list[str]:
    return [
        field.name
        for field in MQMD_2.fields
        if field.kind == kind and field.name not in CONSTANT + _DATES
    ]


_INTEGERS = _names(INTEGER)
_INTEGERS_OF = attrgetter(*_INTEGERS)
_TEXTS_OF = attrgetter(*_names(TEXT))
_BYTES_OF = attrgetter(*_names(BYTES))
_TEXT_LENGTHS = tuple(_FIELDS[name].length for name in (*_names(TEXT), *_DATES))
_BYTES_LENGTHS = tuple(_FIELDS[name].length for name in _names(BYTES))
# Packing is the fastest check that all values are numbers and in range.
_RANGES = struct.Struct(f"{len(_INTEGERS)}i")


def pack(
    descriptor: MessageDescriptor,
    version: int = 1,
    encoding: int = NATIVE,
    ccsid: int = 1208,
) -> bytes:
    """The MQMD of a descriptor; version 1 lacks group, segment and original length."""
    return VERSIONS[version].pack(descriptor, encoding, ccsid)


def unpack(
    data: bytes,
    encoding: int = NATIVE,
    ccsid: int = 1208,
    at: int = 0,
) -> MessageDescriptor:
    """The descriptor in the MQMD of either version at offset `at`; HeaderError without an MQMD."""
    return MessageDescriptor(
        **layout_of(data, encoding, ccsid, at).unpack(data, encoding, ccsid, at),
    )


def length_of(name: str) -> int:
    """The length of a field in bytes."""
    return _FIELDS[name].length


def value_fault(name: str, value: object) -> str:
    """Why a value is not valid for its field, or blank. KeyError if there is no such field.

    For values from outside: a descriptor itself only checks identifiers.
    """
    field = _FIELDS[name]
    unfit = (
        text_fault(name, value)
        if field.kind == TEXT
        else _type_fault(name, value, _TYPES[field.kind])
    )
    if unfit:
        return unfit
    if isinstance(value, int):
        fits = _LOWEST <= value <= _HIGHEST
        return "" if fits else f"{name} is {value}; it must be from {_LOWEST} to {_HIGHEST}"
    length = len(value.encode() if isinstance(value, str) else value)  # type: ignore[arg-type]
    return (
        ""
        if length <= field.length
        else f"{name} has {length} bytes; at most {field.length} are allowed"
    )


def text_fault(name: str, value: object) -> str:
    """Why a value is not text that can be encoded, whatever its length, or blank."""
    if not isinstance(value, str):
        return _type_fault(name, value, str)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        return (
            f"{name} has an unpaired surrogate at position {error.start}, which cannot be encoded"
        )
    return ""


def _type_fault(name: str, value: object, type: type) -> str:
    return (
        ""
        if isinstance(value, type)
        else f"{name} must be {type.__name__}, not {value.__class__.__name__}"
    )


def make_plain(descriptor: MessageDescriptor) -> None:
    """Replace numbers of other types, such as members of enumerations or NumPy integers, by
    plain int.
    """
    numbers = _INTEGERS_OF(descriptor)
    if {*map(type, numbers)} != {int}:
        for name, number in zip(_INTEGERS, _RANGES.unpack(_RANGES.pack(*numbers)), strict=True):
            setattr(descriptor, name, number)


def descriptor_fault(descriptor: MessageDescriptor) -> str:
    """Why the first invalid value is not valid for its field, or blank."""
    d = descriptor
    # None means that `put_at` supplies the value.
    date, time = d.given_put_date, d.given_put_time
    dates = "" if date is None else date, "" if time is None else time
    if _fits(d, dates):
        return ""
    values = {
        field.name: getattr(d, field.name) for field in MQMD_2.fields if field.name not in CONSTANT
    }
    values["put_date"], values["put_time"] = dates
    return next(filter(None, (value_fault(name, value) for name, value in values.items())), "")


def _fits(d: MessageDescriptor, dates: tuple[str, str]) -> bool:
    """Whether all values are valid, mostly checked together because this runs for every message
    put.
    """
    try:
        _RANGES.pack(*_INTEGERS_OF(d))
        ids = _BYTES_OF(d)
        b"".join(ids)
        return tuple(map(len, ids)) == _BYTES_LENGTHS and _texts_fit((*_TEXTS_OF(d), *dates))
    except (TypeError, struct.error):
        return False


# Messages differ in numbers and identifiers, but a program uses few different texts.
@lru_cache(maxsize=1024)
def _texts_fit(texts: tuple[str, ...]) -> bool:
    return "".join(texts).isascii() and not any(map(gt, map(len, texts), _TEXT_LENGTHS))


def layout_of(data: bytes, encoding: int = NATIVE, ccsid: int = 1208, at: int = 0) -> Layout:
    """The MQMD at offset `at`, of version 1 or 2; HeaderError if there is none."""
    if len(data) < at + 8:
        raise HeaderError(
            f"not an MQMD: {len(data) - at} bytes instead of {MQMD_1.length} or {MQMD_2.length}",
        )
    version = MQMD_2.read_version(data, encoding, header_codec(ccsid, "MQMD"), at)
    return MQMD_2 if version == MQMD_2.version else MQMD_1
