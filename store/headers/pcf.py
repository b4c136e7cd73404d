"""Programmable command format: the header MQCFH (36 bytes) and its parameters, as in event messages and commands.

The length of a structure is a multiple of 4 bytes. Integers are in the Encoding and text in the CCSID of the message.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Union

from store.headers.layout import NATIVE, PADDING, HeaderError, byte_order, fitted, header_codec, signed

# Types of structure (MQCFT), which are not in the table of constants.
INTEGER, STRING, INTEGER_LIST, STRING_LIST, EVENT, BYTE_STRING, GROUP = 3, 4, 5, 6, 7, 9, 20
NOT_LAST, LAST = 0, 1  # MQCFC: whether the message is the last of its set
_VERSION = 1
HEADER_LENGTH, INTEGER_LENGTH, STRING_LENGTH, STRING_LIST_LENGTH = 36, 16, 20, 24
# A limit for data from outside; the groups of MQ's messages are at most two deep.
_DEEPEST = 16


@dataclass(frozen=True, slots=True)
class CommandHeader:
    """The MQCFH except StrucLength and ParameterCount, which `pack` computes."""

    type: int
    command: int
    comp_code: int = 0
    reason: int = 0
    msg_seq_number: int = 1
    control: int = LAST
    version: int = _VERSION


Value = Union[int, str, bytes, "list[int]", "list[str]", "tuple[Parameter, ...]"]


class Parameter(NamedTuple):
    """A parameter; the type of its value decides the structure (MQCFIN, MQCFST, MQCFIL, MQCFSL, MQCFBS, MQCFGR).

    Text is padded to `length` bytes, or the names of a list each; 0 means no padding, or that of the longest name. An
    empty list is an MQCFSL if it has a length. A tuple is a group of parameters.
    """

    number: int
    value: Value
    length: int = 0


class _Form(NamedTuple):
    """How texts and numbers are written: the byte order for `struct`, the CCSID and its codec."""

    order: str
    ccsid: int
    codec: str

    def integers(self, *values: int) -> bytes:
        return struct.pack(f"{self.order}{len(values)}i", *values)

    def read(self, data: bytes, at: int, count: int) -> tuple[int, ...]:
        return struct.unpack_from(f"{self.order}{count}i", data, at)


def pack(header: CommandHeader, parameters: Sequence[Parameter], encoding: int = NATIVE, ccsid: int = 1208) -> bytes:
    """Message data: the header and its parameters; a group counts as one parameter."""
    form = _Form(byte_order(encoding), ccsid, header_codec(ccsid))
    h = header
    numbers = (h.type, HEADER_LENGTH, h.version, h.command, h.msg_seq_number, h.control, h.comp_code, h.reason)
    return form.integers(*numbers, len(parameters)) + b"".join(_packed(each, form) for each in parameters)


def _packed(parameter: Parameter, form: _Form) -> bytes:
    value = parameter.value
    if isinstance(value, int):
        return form.integers(INTEGER, INTEGER_LENGTH, parameter.number, signed(value))
    if isinstance(value, str):
        text = _text(value, parameter.length, form)
        return _structure(STRING, form, (parameter.number, form.ccsid, len(text)), text)
    if isinstance(value, bytes):
        return _structure(BYTE_STRING, form, (parameter.number, len(value)), value)
    if isinstance(value, tuple):
        head = form.integers(GROUP, INTEGER_LENGTH, parameter.number, len(value))
        return head + b"".join(_packed(each, form) for each in value)
    names = [each for each in value if isinstance(each, str)]
    if names or parameter.length:
        return _string_list(parameter, names, form)
    numbers = [signed(each) for each in value if isinstance(each, int)]
    return _structure(INTEGER_LIST, form, (parameter.number, len(numbers)), form.integers(*numbers))


def _string_list(parameter: Parameter, names: Sequence[str], form: _Form) -> bytes:
    length = parameter.length or max(len(name.encode(form.codec, "replace")) for name in names)
    texts = b"".join(fitted(name, length, form.codec) for name in names)
    return _structure(STRING_LIST, form, (parameter.number, form.ccsid, len(names), length), texts)


def _text(text: str, length: int, form: _Form) -> bytes:
    return fitted(text, length, form.codec) if length else text.encode(form.codec, "replace")


def _structure(type_: int, form: _Form, numbers: tuple[int, ...], data: bytes) -> bytes:
    """A structure: Type, StrucLength, the other numbers, and the data, padded with NUL."""
    whole = 8 + 4 * len(numbers) + -(-len(data) // 4) * 4
    return (form.integers(type_, whole, *numbers) + data).ljust(whole, b"\0")


def unpack(data: bytes, encoding: int = NATIVE, ccsid: int = 1208) -> tuple[CommandHeader, list[Parameter]]:
    """The header and the parameters at the start of the data; text has no padding.

    HeaderError if the data is not PCF, or has parameters of other types than `Parameter` can hold.
    """
    form = _Form(byte_order(encoding), ccsid, header_codec(ccsid))
    if len(data) < HEADER_LENGTH:
        raise HeaderError(f"not an MQCFH: {len(data)} bytes instead of {HEADER_LENGTH}")
    type_, length, version, command, sequence, control, completion, reason, count = form.read(data, 0, 9)
    if length != HEADER_LENGTH or version < _VERSION:
        raise HeaderError(f"not an MQCFH: StrucLength {length} and Version {version}")
    header = CommandHeader(type_, command, completion, reason, sequence, control, version)
    return header, list(_parameters(data, HEADER_LENGTH, count, form)[0])


def _parameters(data: bytes, at: int, count: int, form: _Form, depth: int = 0) -> tuple[tuple[Parameter, ...], int]:
    """`count` parameters from offset `at`, and the offset after them; they are inside `depth` groups."""
    if depth > _DEEPEST:
        raise HeaderError(f"more than {_DEEPEST} groups inside one another at byte {at}")
    found = []
    for _ in range(count):
        if len(data) < at + INTEGER_LENGTH:
            raise HeaderError(f"incomplete parameter at byte {at}")
        type_, length, number, value = form.read(data, at, 4)
        if length < INTEGER_LENGTH or len(data) < at + length:
            raise HeaderError(f"the parameter at byte {at} has a StrucLength of {length}")
        if type_ == GROUP:
            members, at = _parameters(data, at + length, value, form, depth + 1)
            found.append(Parameter(number, members))
            continue
        if type_ not in _READERS or length < _SHORTEST.get(type_, INTEGER_LENGTH):
            raise HeaderError(f"the parameter at byte {at} has the type {type_}")
        found.append(_READERS[type_](data[at : at + length], form))
        at += length
    return tuple(found), at


def _integer(data: bytes, form: _Form) -> Parameter:
    _, _, number, value = form.read(data, 0, 4)
    return Parameter(number, value)


def _string(data: bytes, form: _Form) -> Parameter:
    _, _, number, _, size = form.read(data, 0, 5)
    text = data[STRING_LENGTH:][: max(0, size)]
    return Parameter(number, text.decode(form.codec, "replace").rstrip(PADDING), size)


def _byte_string(data: bytes, form: _Form) -> Parameter:
    _, _, number, size = form.read(data, 0, 4)
    return Parameter(number, data[INTEGER_LENGTH:][: max(0, size)])


def _integers(data: bytes, form: _Form) -> Parameter:
    _, length, number, count = form.read(data, 0, 4)
    _fits(INTEGER_LENGTH, count, 4, length)
    return Parameter(number, list(form.read(data, INTEGER_LENGTH, count)))


def _strings(data: bytes, form: _Form) -> Parameter:
    _, length, number, _, count, size = form.read(data, 0, 6)
    _fits(STRING_LIST_LENGTH, count, size, length)
    starts = range(STRING_LIST_LENGTH, STRING_LIST_LENGTH + count * size, max(1, size))
    names = [data[at : at + size].decode(form.codec, "replace").rstrip(PADDING) for at in starts]
    return Parameter(number, names, size)


def _fits(head: int, count: int, size: int, length: int) -> None:
    if min(count, size) < 0 or head + count * size > length:
        raise HeaderError(f"a list of {count} items of {size} bytes does not fit into a StrucLength of {length}")


_READERS: Mapping[int, Callable[[bytes, _Form], Parameter]] = {
    INTEGER: _integer,
    STRING: _string,
    INTEGER_LIST: _integers,
    STRING_LIST: _strings,
    BYTE_STRING: _byte_string,
}
# The shortest StrucLength of the types that have more than four numbers.
_SHORTEST: Mapping[int, int] = {STRING: STRING_LENGTH, STRING_LIST: STRING_LIST_LENGTH}
