"""A structure as rows (offset, length, kind, field), packed and unpacked in either byte order and any character set."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from store.headers.ccsid import UTF_8, WIDE, codec_of

INTEGER, TEXT, BYTES = "integer", "text", "bytes"
NATIVE = 546
PADDING = " \0"
_INTEGER_MASK, _INTEGER_NORMAL = 15, 1
_WORD = 0xFFFF_FFFF


class HeaderError(ValueError):
    """Data that does not begin with the structure it should begin with; the text says in what it differs."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a structure: where it starts, how many bytes it has, what they hold."""

    offset: int
    length: int
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Layout:
    """A structure. Its first fields are StrucId and, with a fixed value, Version."""

    name: str
    struc_id: str
    version: int | str
    fields: tuple[Field, ...]
    length: int = field(init=False)
    _codes: Mapping[str, struct.Struct] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        codes = "".join("i" if each.kind == INTEGER else f"{each.length}s" for each in self.fields)
        last = self.fields[-1]
        object.__setattr__(self, "length", last.offset + last.length)
        object.__setattr__(self, "_codes", {order: struct.Struct(order + codes) for order in "<>"})

    def pack(self, record: object, encoding: int, ccsid: int) -> bytes:
        """The bytes of the structure with the attributes of `record`: integers and characters as told.

        Texts are blank padded and cut to the length of the field; bytes are NUL padded. ValueError for a CCSID whose
        characters this table does not know or that no structure can be written in.
        """
        codec = header_codec(ccsid)
        values: list[int | bytes] = []
        for each in self.fields:
            value = self._constant(each.name)
            if value is None:
                value = getattr(record, each.name)
            values.append(_packed(each, value, codec))
        return self._codes[byte_order(encoding)].pack(*values)

    def unpack(self, data: bytes, encoding: int, ccsid: int, at: int = 0) -> dict[str, Any]:
        """The fields of the structure at offset `at`, texts without padding; StrucId and Version are left out.

        HeaderError when the data is too short or StrucId or Version are others.
        """
        codec = self.check(data, encoding, ccsid, at)
        values = self._codes[byte_order(encoding)].unpack_from(data, at)
        return {
            each.name: value.decode(codec, "replace").rstrip(PADDING) if each.kind == TEXT else value
            for each, value in zip(self.fields, values, strict=True)
            if self._constant(each.name) is None
        }

    def check(self, data: bytes, encoding: int, ccsid: int, at: int = 0) -> str:
        """The codec of the structure at `at`; HeaderError when the data is too short or it is another structure."""
        try:
            codec = header_codec(ccsid)
        except ValueError as fault:
            raise HeaderError(f"not an {self.name}: {fault}") from None
        if len(data) < at + self.length:
            raise HeaderError(f"not an {self.name}: {len(data) - at} bytes where it has {self.length}")
        found = data[at : at + 4]
        if found != self.struc_id.encode(codec):
            right = f"{self.struc_id!r} in CCSID {ccsid}"
            raise HeaderError(f"not an {self.name}: StrucId {found!r} where {right} is right")
        version = self.read_version(data, encoding, codec, at)
        if version != self.version:
            raise HeaderError(f"not an {self.name}: Version {version!r} where {self.version!r} is right")
        return codec

    def read_version(self, data: bytes, encoding: int, codec: str, at: int = 0) -> int | str:
        """The Version that stands at `at`, of the type that this structure has it in."""
        if isinstance(self.version, str):
            return data[at + 4 : at + 8].decode(codec, "replace")
        return read_integer(data, at + 4, encoding)

    def offset_of(self, name: str) -> int:
        """Where a field starts; KeyError when the structure has none of that name."""
        for each in self.fields:
            if each.name == name:
                return each.offset
        raise KeyError(name)

    def _constant(self, name: str) -> int | str | None:
        if name == "struc_id":
            return self.struc_id
        return self.version if name == "version" else None


def rows(*fields: tuple[int, int, str, str]) -> tuple[Field, ...]:
    """Rows (offset, length, kind, name) as the fields of a layout."""
    return tuple(Field(*each) for each in fields)


def byte_order(encoding: int) -> str:
    """The sign that `struct` has for the integers of an Encoding; an undefined one is native, which is 546 here."""
    return ">" if encoding & _INTEGER_MASK == _INTEGER_NORMAL else "<"


def read_integer(data: bytes, at: int, encoding: int) -> int:
    """The signed 4-byte integer at an offset."""
    return int.from_bytes(data[at : at + 4], "big" if byte_order(encoding) == ">" else "little", signed=True)


def header_codec(ccsid: int) -> str:
    """The codec for the characters of a structure; ValueError when there is none, or its blank is not one byte."""
    codec = codec_of(ccsid)
    if codec is None or ccsid in WIDE:
        raise ValueError(f"CCSID {ccsid} is not one that a structure can be written in; 1208, 819 or 500 are")
    return codec


def writable(ccsid: int) -> int:
    """The CCSID that a queue manager with this CCSID writes its own headers in: the same, or 1208 when it cannot."""
    return UTF_8 if ccsid in WIDE or codec_of(ccsid) is None else ccsid or UTF_8


def _packed(each: Field, value: Any, codec: str) -> int | bytes:
    if each.kind == INTEGER:
        return signed(value)
    if each.kind == BYTES:
        return bytes(value)  # `struct` cuts it or pads it with NUL
    return fitted(value, each.length, codec)


def signed(value: int) -> int:
    """A number as an MQLONG: report options may come as 32 bits without a sign."""
    value = int(value) & _WORD
    return value - (_WORD + 1) if value >> 31 else value


def fitted(text: str, length: int, codec: str) -> bytes:
    """A text in exactly `length` bytes: cut between two characters, or padded with blanks."""
    encoded = text.encode(codec, "replace")
    if len(encoded) > length:
        encoded = encoded[:length].decode(codec, "ignore").encode(codec)
    return encoded.ljust(length, " ".encode(codec))
