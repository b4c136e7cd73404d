"""The structures of the MQI in bytes, as programs pass them: native byte order, a StrucId, and a
Version that decides the length.
"""

import struct
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from mqsc.store.constants import MQRC
from mqsc.store.error import MQError
from mqsc.store.headers.layout import BYTES, INTEGER, TEXT, Field, read_fields

# Pointers and message handles: eight bytes in the 64-bit MQI.
LONG = "long"
_VERSION = struct.Struct("<i")
_NUMBERS = {INTEGER: struct.Struct("<i"), LONG: struct.Struct("<q")}
_HEAD = 8


class Structure:
    """A structure: its StrucId, the reason code for one that is invalid, the length of each
    version, and its fields.
    """

    def __init__(
        self,
        struc_id: str,
        error: int,
        lengths: Mapping[int, int],
        *fields: tuple[int, int, str, str],
    ) -> None:
        """Each field is given as offset, length, kind and name."""
        self.struc_id = struc_id.ljust(4).encode()
        self.error = error
        self.lengths = lengths
        self.fields: Mapping[str, Field] = {field[3]: Field(*field) for field in fields}
        self._read_all = self.reader(*self.fields)

    def reader(self, *names: str) -> Callable[[object], tuple[Any, ...]]:
        """A faster `read` for some fields only, named in the order of their offsets; it returns
        a tuple.
        """
        fields = [self.fields[name] for name in names]
        readers = {version: _Reader(fields, length) for version, length in self.lengths.items()}

        def read(data: object) -> tuple[Any, ...]:
            reader = readers[self.version(data)]
            assert isinstance(data, bytes)
            return reader(data)

        return read

    def checked(self, data: object) -> bytes:
        """The structure, not read yet; MQError with its reason code for anything but bytes."""
        if isinstance(data, bytes):
            return data
        raise MQError(self.error)

    def version(self, data: object) -> int:
        """The version of the structure in `data`.

        MQError with the structure's reason code for NULL, another StrucId, an unknown version, or
        too few bytes.
        """
        if isinstance(data, bytes) and len(data) >= _HEAD and data[:4] == self.struc_id:
            (version,) = _VERSION.unpack_from(data, 4)
            length = self.lengths.get(version)
            if length is not None and len(data) >= length:
                return int(version)
        raise MQError(self.error)

    def read(self, data: object) -> dict[str, Any]:
        """The fields, texts without padding; those that the version lacks are 0 or empty.
        MQError as `version`.
        """
        return dict(zip(self.fields, self._read_all(data), strict=True))

    def writer(self, *names: str) -> Callable[..., bytes]:
        """A faster `write` for these fields; it takes the structure and their values."""
        rows = {
            version: [
                (place, field.offset, field.offset + field.length, _encoder(field))
                for place, field in enumerate(self.fields[name] for name in names)
                if field.offset + field.length <= length
            ]
            for version, length in self.lengths.items()
        }

        def write(data: bytes, *values: int | str | bytes) -> bytes:
            changed = bytearray(data)
            for place, start, end, encode in rows[_VERSION.unpack_from(data, 4)[0]]:
                changed[start:end] = encode(values[place])
            return bytes(changed)

        return write

    def write(self, data: bytes, **values: int | str | bytes) -> bytes:
        """The structure with other values in the fields named; fields that its version lacks are
        passed over.
        """
        return self.writer(*values)(data, *values.values())

    def new(self, version: int, **values: int | str | bytes) -> bytes:
        """A structure of this version with these values; all other fields are zero."""
        empty = self.struc_id + _VERSION.pack(version)
        return self.write(empty.ljust(self.lengths[version], b"\0"), **values)


class _Reader:
    """Reads fields of one version, all at once."""

    def __init__(self, fields: Sequence[Field], length: int) -> None:
        codes, at = "<", 0
        present = [field for field in fields if field.offset + field.length <= length]
        for field_row in present:
            codes += f"{field_row.offset - at}x" + _CODES.get(
                field_row.kind, f"{field_row.length}s"
            )
            at = field_row.offset + field_row.length
        self._unpack = struct.Struct(codes).unpack_from
        self._texts = [place for place, field_row in enumerate(present) if field_row.kind == TEXT]
        self._absent = tuple(_EMPTY[field.kind] for field in fields[len(present) :])

    def __call__(self, data: bytes) -> tuple[Any, ...]:
        unpacked = self._unpack(data)
        if not self._texts:
            return unpacked + self._absent
        values = [*unpacked, *self._absent]
        for place in self._texts:
            values[place] = text(values[place])
        return tuple(values)


def _encoder(field: Field) -> Callable[[Any], bytes]:
    """Turns values of a field into its bytes."""
    if field.kind in _NUMBERS:
        return _NUMBERS[field.kind].pack
    length = field.length
    if field.kind == TEXT:
        return lambda value: padded(value, length)
    return lambda value: value.ljust(length, b"\0")[:length]


_CODES = {INTEGER: "i", LONG: "q"}
_EMPTY: Mapping[str, int | str | bytes] = {INTEGER: 0, LONG: 0, TEXT: "", BYTES: b""}


@lru_cache(maxsize=4096)
def text(data: bytes) -> str:
    """The text of a field without padding. A NUL ends it; a byte that is not UTF-8 becomes a
    question mark.

    No object has such a name, and the text still fits its field.
    """
    content = data.partition(b"\0")[0]
    try:
        return content.decode().rstrip(" ")
    except UnicodeDecodeError:
        return content.decode("ascii", "replace").replace("\ufffd", "?").rstrip(" ")


@lru_cache(maxsize=4096)
def padded(value: str, length: int) -> bytes:
    """Text as the bytes of a field: padded with blanks, or cut between characters."""
    encoded = value.encode("utf-8", "replace")
    if len(encoded) > length:
        encoded = encoded[:length].decode("utf-8", "ignore").encode()
    return encoded.ljust(length)


_FIELDS = read_fields(__file__, (INTEGER, LONG, TEXT, BYTES))


def _structure(
    name: str,
    lengths: Mapping[int, int],
    *,
    struc_id: str = "",
    error: str = "",
) -> Structure:
    reason = MQRC[error or f"{name[2:]}_ERROR"]
    return Structure(struc_id or name[2:], reason, lengths, *_FIELDS[name])


MQOD = _structure("MQOD", {1: 168, 2: 208, 3: 344, 4: 424})
MQPMO = _structure("MQPMO", {1: 128, 2: 160, 3: 184})
MQGMO = _structure("MQGMO", {1: 72, 2: 80, 3: 100, 4: 112})
# Version 4 may come with or without the padding that a compiler adds.
MQCNO = _structure("MQCNO", {1: 12, 2: 24, 3: 152, 4: 164, 5: 200, 6: 224, 7: 256, 8: 272})
MQCSP = _structure("MQCSP", {1: 56, 2: 80, 3: 104})
MQBO = _structure("MQBO", {1: 12})
MQSTS = _structure("MQSTS", {1: 224, 2: 280}, struc_id="STAT")
MQCBD = _structure("MQCBD", {1: 164})
# Made by the queue manager only.
MQCBC = _structure("MQCBC", {1: 56, 2: 64}, error="CBD_ERROR")
MQCTLO = _structure("MQCTLO", {1: 24})
MQCMHO = _structure("MQCMHO", {1: 12})
MQDMHO = _structure("MQDMHO", {1: 12})
MQDMPO = _structure("MQDMPO", {1: 12})
MQSMPO = _structure("MQSMPO", {1: 20})
MQIMPO = _structure("MQIMPO", {1: 64})
MQPD = _structure("MQPD", {1: 24})
MQSD = _structure("MQSD", {1: 344})
MQSRO = _structure("MQSRO", {1: 16})
