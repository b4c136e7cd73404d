"""Structures as rows of offset, length and field."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mqsc.store.constants import MQENC
from mqsc.store.headers.character_sets import INTEGER_MASK, INTEGER_NORMAL, UTF_8, WIDE, codec_of
from mqsc.store.table import table

INTEGER = "integer"
TEXT = "text"
BYTES = "bytes"
# The Encoding of this queue manager on every host.
NATIVE = int(MQENC.NATIVE)
PADDING = " \0"
# These fields have one value in all structures of a layout.
CONSTANT = ("struc_id", "version")
_WORD = 0xFFFF_FFFF


class HeaderError(ValueError):
    """Data that does not begin with the expected structure; the message says why."""


class Field(NamedTuple):
    """A field of a structure: its offset, its length in bytes, its kind (INTEGER, TEXT or BYTES)
    and its name.
    """

    offset: int
    length: int
    kind: str
    name: str


def read_fields(module: str, kinds: Sequence[str]) -> dict[str, tuple[Field, ...]]:
    """The fields of the structures in structures.csv beside a module, by structure; it has a row
    for each field, which is of one of these kinds.
    """
    structures: dict[str, tuple[Field, ...]] = {}
    columns = ("structure", "offset", "length", "kind", "name")
    for row in table(module, "structures.csv", columns, {"kind": kinds}):
        each = Field(int(row["offset"]), int(row["length"]), row["kind"], row["name"])
        structures[row["structure"]] = (*structures.get(row["structure"], ()), each)
    return structures


FIELDS = read_fields(__file__, (INTEGER, TEXT, BYTES))


@dataclass(frozen=True, slots=True)
class Layout:
    """A structure. Its first fields are StrucId and Version, both with a fixed value."""

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

    def pack(self, record: object, encoding: int = NATIVE, ccsid: int = 1208) -> bytes:
        """The bytes of the structure with the attributes of `record`, in the given encoding and
        CCSID.

        Text is padded with blanks or cut to the length of the field; bytes are padded with NUL.
        HeaderError for a CCSID that is unsupported or in which no structure can be written.
        """
        codec = header_codec(ccsid)
        values = (
            (each, getattr(self if each.name in CONSTANT else record, each.name))
            for each in self.fields
        )
        return self._codes[byte_order(encoding)].pack(
            *(_packed(each, value, codec) for each, value in values),
        )

    def unpack(self, data: bytes, encoding: int, ccsid: int, at: int = 0) -> dict[str, Any]:
        """The fields of the structure at offset `at` except StrucId and Version; text has no
        padding.

        HeaderError if the data is too short or has another StrucId or Version.
        """
        codec = self.check(data, encoding, ccsid, at)
        values = self._codes[byte_order(encoding)].unpack_from(data, at)
        record: dict[str, Any] = {}
        for each, value in zip(self.fields, values, strict=True):
            if each.kind == TEXT:
                record[each.name] = value.decode(codec, "replace").rstrip(PADDING)
            elif each.name not in CONSTANT:
                record[each.name] = value
        for name in CONSTANT:
            record.pop(name, None)
        return record

    def check(self, data: bytes, encoding: int, ccsid: int, at: int = 0) -> str:
        """The codec for the text of the structure at `at`; HeaderError if the data holds no such
        structure.
        """
        codec = header_codec(ccsid, self.name)
        if len(data) < at + self.length:
            raise HeaderError(
                f"not an {self.name}: {len(data) - at} bytes instead of {self.length}",
            )
        identifier = data[at : at + 4]
        if identifier != self.struc_id.encode(codec):
            raise HeaderError(
                f"not an {self.name}: StrucId {identifier!r} instead of {self.struc_id!r} in CCSID "
                f"{ccsid}",
            )
        version = self.read_version(data, encoding, codec, at)
        if version != self.version:
            raise HeaderError(
                f"not an {self.name}: Version {version!r} instead of {self.version!r}",
            )
        return codec

    def read_version(self, data: bytes, encoding: int, codec: str, at: int = 0) -> int | str:
        """The Version of the structure at `at`: a number, or text where this structure has a
        text version.
        """
        if isinstance(self.version, str):
            return data[at + 4 : at + 8].decode(codec, "replace")
        return read_integer(data, at + 4, encoding)

    def offset_of(self, name: str) -> int:
        """The offset of a field of that name."""
        return next(each.offset for each in self.fields if each.name == name)


def byte_order(encoding: int) -> str:
    """The byte order of the integers of an Encoding as in `struct`; undefined byte order is
    little-endian here.
    """
    return ">" if encoding & INTEGER_MASK == INTEGER_NORMAL else "<"


def read_integer(data: bytes, at: int, encoding: int) -> int:
    """The signed 4-byte integer at offset `at`."""
    return int.from_bytes(
        data[at : at + 4],
        "big" if byte_order(encoding) == ">" else "little",
        signed=True,
    )


def header_codec(ccsid: int, structure: str = "") -> str:
    """The codec for the text of a structure; HeaderError if the CCSID is unsupported or its
    blank is not one byte.
    """
    codec = codec_of(ccsid)
    if codec is None or ccsid in WIDE:
        what = f"not an {structure}: " if structure else ""
        raise HeaderError(
            f"{what}CCSID {ccsid} cannot be used in a header; use 1208, 819 or 500, for example",
        )
    return codec


def writable(ccsid: int) -> int:
    """The CCSID in which a queue manager with this CCSID writes headers: the same, or 1208 if
    that is impossible.
    """
    return UTF_8 if ccsid in WIDE or codec_of(ccsid) is None else ccsid or UTF_8


def _packed(packed_field: Field, value: Any, codec: str) -> int | bytes:
    if packed_field.kind == INTEGER:
        return signed(value)
    if packed_field.kind == BYTES:
        return bytes(value)  # `struct` pads it with NUL or cuts it
    return fitted(value, packed_field.length, codec)


def signed(value: int) -> int:
    """A number as a signed MQLONG; options may be given as unsigned 32 bits."""
    value = int(value) & _WORD
    return value - (_WORD + 1) if value >> 31 else value


def fitted(text: str, length: int, codec: str) -> bytes:
    """Text in exactly `length` bytes: cut between characters, or padded with blanks."""
    encoded = text.encode(codec, "replace")
    if len(encoded) > length:
        encoded = encoded[:length].decode(codec, "ignore").encode(codec)
    return encoded.ljust(length, " ".encode(codec))
