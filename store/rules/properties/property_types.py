"""The types of message properties: their texts in an MQRFH2, their bytes, and conversions
(properties §3).
"""

import math
import re
import struct
from collections.abc import Callable, Mapping
from typing import NamedTuple

from mqsc.store.argument_checks import must_be_writable
from mqsc.store.constants import MQENC, MQRC, MQTYPE
from mqsc.store.headers.character_sets import codec_of
from mqsc.store.headers.layout import NATIVE, byte_order

Value = None | bool | int | float | bytes | str
NULL = int(MQTYPE.NULL)
BOOLEAN = int(MQTYPE.BOOLEAN)
BYTE_STRING = int(MQTYPE.BYTE_STRING)
STRING = int(MQTYPE.STRING)
INT8 = int(MQTYPE.INT8)
INT16 = int(MQTYPE.INT16)
INT32 = int(MQTYPE.INT32)
INT64 = int(MQTYPE.INT64)
FLOAT32, FLOAT64 = int(MQTYPE.FLOAT32), int(MQTYPE.FLOAT64)
INTEGERS = (INT8, INT16, INT32, INT64)
_CONVERSION_NOT_SUPPORTED = int(MQRC.PROP_CONV_NOT_SUPPORTED)
_NUMBER_FORMAT = int(MQRC.PROP_NUMBER_FORMAT_ERROR)
_TYPE_ERROR, _LENGTH_ERROR = int(MQRC.PROPERTY_TYPE_ERROR), int(MQRC.BUFFER_LENGTH_ERROR)
_FLOAT_MASK, _FLOAT_REVERSED = 0xF00, int(MQENC.FLOAT_IEEE_REVERSED)
_WHOLE = re.compile(r"[ \t]*([+-]?\d+)")
_DECIMAL = re.compile(r"[ \t]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
_BOOLEANS = {"TRUE": True, "1": True, "FALSE": False, "0": False}


class PropertyFault(Exception):
    """A value that cannot have the type asked for; `reason` is the MQRC."""

    def __init__(self, reason: int) -> None:
        super().__init__(reason)
        self.reason = reason


class PropertyType(NamedTuple):
    """A type: the words of `dt` that mean it, the types of its values, its length in bytes or None,
    and its `struct` code if it has one.
    """

    words: tuple[str, ...]
    values: tuple[type, ...]
    length: int | None
    code: str = ""


TYPES: Mapping[int, PropertyType] = {
    STRING: PropertyType(("string",), (str,), None),
    BOOLEAN: PropertyType(("boolean",), (bool,), 4, "i"),
    BYTE_STRING: PropertyType(("bin.hex",), (bytes,), None),
    INT8: PropertyType(("i1",), (int,), 1, "b"),
    INT16: PropertyType(("i2",), (int,), 2, "h"),
    INT32: PropertyType(("i4",), (int,), 4, "i"),
    INT64: PropertyType(("i8", "int"), (int,), 8, "q"),
    FLOAT32: PropertyType(("r4",), (float, int), 4, "f"),
    FLOAT64: PropertyType(("r8",), (float, int), 8, "d"),
    NULL: PropertyType((), (type(None),), 0),
}
# The types by the words that mean them in an MQRFH2.
TYPES_BY_WORD = {word: type for type, row in TYPES.items() for word in row.words}


def type_of_value(value: Value) -> int:
    """The type of a Python value that is given without one: the smaller of INT32 and INT64 for an
    int.

    TypeError for a value that no property can have.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return INT32 if -(1 << 31) <= value < 1 << 31 else INT64
    for kind, type in _OF_PYTHON:
        if isinstance(value, kind):
            return type
    raise TypeError(
        "the value of a property must be None, bool, int, float, bytes or str, not "
        f"{value.__class__.__name__}",
    )


_OF_PYTHON = (
    (bool, BOOLEAN),
    (float, FLOAT64),
    (bytes, BYTE_STRING),
    (str, STRING),
    (type(None), NULL),
)


def checked(type: int, value: Value) -> Value:
    """The value as its type keeps it. PropertyFault 2473 for an unknown type.

    TypeError or ValueError for a value of another kind, or out of range.
    """
    if type not in TYPES:
        raise PropertyFault(_TYPE_ERROR)
    wanted = TYPES[type].values
    if (isinstance(value, bool) and type != BOOLEAN) or not isinstance(value, wanted):
        names = " or ".join(each.__name__ for each in wanted)
        raise TypeError(
            f"a property of type {MQTYPE(type).name} takes {names}, not {value.__class__.__name__}",
        )
    if isinstance(value, str):
        must_be_writable(value, "the value of a property")
    if type in INTEGERS or type == FLOAT32:
        try:
            code = f"<{TYPES[type].code}"
            fitting: Value = struct.unpack(code, struct.pack(code, value))[0]
        except (struct.error, OverflowError):
            raise ValueError(
                f"{value!r} is out of range for a property of type {MQTYPE(type).name}",
            ) from None
        return fitting
    return float(value) if type == FLOAT64 and value is not None else value


def to_text(type: int, value: Value) -> str:
    """The value as the text of an element, without escapes."""
    if isinstance(value, bytes):
        return value.hex().upper()
    if isinstance(value, bool):
        return "1" if value else "0"
    return "" if value is None else str(value)


def from_text(type: int, text: str) -> Value:
    """The value of an element of that type; PropertyFault 2472 for a text that is not such a
    value.
    """
    if type == BYTE_STRING:
        try:
            return bytes.fromhex(text.strip())
        except ValueError:
            raise PropertyFault(_NUMBER_FORMAT) from None
    if type in (STRING, NULL):
        return text if type == STRING else None
    return convert(STRING, text.strip(), type)


def convert(type: int, value: Value, wanted: int) -> Value:
    """The value as another type, as MQIMPO_CONVERT_TYPE does: PropertyFault 2470 for a pair that
    has no conversion.

    2472 for a text that is not such a number.
    """
    if wanted == type:
        return value
    if wanted not in TYPES:
        raise PropertyFault(_TYPE_ERROR)
    # A number is not converted to a narrower type.
    step = _CONVERSIONS.get((_family(type), _family(wanted)))
    if step is None or (wanted < type and _family(type) == _family(wanted)):
        raise PropertyFault(_CONVERSION_NOT_SUPPORTED)
    converted = step(value)
    try:
        return checked(wanted, converted)
    except ValueError:
        raise PropertyFault(_NUMBER_FORMAT) from None


_WHOLE_NUMBER, _FLOAT = -1, -2


def _family(type: int) -> int:
    if type in INTEGERS:
        return _WHOLE_NUMBER
    return _FLOAT if type in (FLOAT32, FLOAT64) else type


def _boolean(value: Value) -> bool:
    found = _BOOLEANS.get(str(value).strip().upper())
    if found is None:
        raise PropertyFault(_NUMBER_FORMAT)
    return found


def _whole(value: Value) -> int:
    found = _WHOLE.match(str(value))
    if found is None or len(found[1]) > 20:
        raise PropertyFault(_NUMBER_FORMAT)
    return int(found[1])


def _decimal(value: Value) -> float:
    text = str(value).strip()
    match = _DECIMAL.match(text)
    if match is None:
        named = _NOT_FINITE.get(text)
        if named is None:
            raise PropertyFault(_NUMBER_FORMAT)
        return named
    return float(match[1])


# As Python writes them, so that a get can read what was put.
_NOT_FINITE = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
_CONVERSIONS: Mapping[tuple[int, int], Callable[[Value], Value]] = {
    (BOOLEAN, STRING): lambda value: "TRUE" if value else "FALSE",
    (BOOLEAN, _WHOLE_NUMBER): lambda value: int(bool(value)),
    (BYTE_STRING, STRING): lambda value: to_text(BYTE_STRING, value),
    (_WHOLE_NUMBER, _WHOLE_NUMBER): lambda value: value,
    (_WHOLE_NUMBER, STRING): str,
    (_FLOAT, _FLOAT): lambda value: value,
    (_FLOAT, STRING): str,
    (STRING, BOOLEAN): _boolean,
    (STRING, _WHOLE_NUMBER): _whole,
    (STRING, _FLOAT): _decimal,
}


def from_bytes(type: int, data: bytes, encoding: int = NATIVE, ccsid: int = 1208) -> Value:
    """The value in the bytes that a program gives, which MQSMPO describes.

    PropertyFault 2473 for an unknown type, 2005 for a length that the type does not have, 2111 for
    an unknown CCSID, 2472 for bytes that are invalid in it.
    """
    row = TYPES.get(type)
    if row is None:
        raise PropertyFault(_TYPE_ERROR)
    if row.length is not None and len(data) != row.length:
        raise PropertyFault(_LENGTH_ERROR)
    if row.code:
        value: Value = struct.unpack(_order(row.code, encoding) + row.code, data)[0]
        return bool(value) if type == BOOLEAN else value
    if type == STRING:
        codec = codec_of(0 if ccsid < 0 else ccsid, encoding)
        if codec is None:
            raise PropertyFault(int(MQRC.SOURCE_CCSID_ERROR))
        try:
            return data.decode(codec)
        except UnicodeDecodeError:
            raise PropertyFault(_NUMBER_FORMAT) from None
    return bytes(data) if type == BYTE_STRING else None


def to_bytes(type: int, value: Value, encoding: int = NATIVE, ccsid: int = 1208) -> bytes | None:
    """The bytes of a value in an Encoding and CCSID; None if the text has no equivalent there."""
    row = TYPES[type]
    if row.code:
        return struct.pack(_order(row.code, encoding) + row.code, value)
    if isinstance(value, str):
        codec = codec_of(0 if ccsid < 0 else ccsid, encoding)
        try:
            return None if codec is None else value.encode(codec)
        except UnicodeEncodeError:
            return None
    return value if isinstance(value, bytes) else b""


def _order(code: str, encoding: int) -> str:
    if code in "fd":
        return "<" if encoding & _FLOAT_MASK == _FLOAT_REVERSED else ">"
    return byte_order(encoding)
