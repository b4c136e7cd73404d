"""Programmable command format: the header MQCFH (36 bytes) and its parameters, as in event messages
and commands.

The length of a structure is a multiple of 4 bytes. Integers are in the Encoding and text in the
CCSID of the message.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Union

from msgspec import Struct

from mqsc.store.constants import MQCFC, MQCFT, MQENC, MQRCCF
from mqsc.store.headers.character_sets import codec_of
from mqsc.store.headers.layout import (
    NATIVE,
    PADDING,
    HeaderError,
    byte_order,
    fitted,
    header_codec,
    signed,
)

# Types of message, and of structure.
COMMAND, RESPONSE, EVENT, COMMAND_XR = map(
    int,
    (MQCFT.COMMAND, MQCFT.RESPONSE, MQCFT.EVENT, MQCFT.COMMAND_XR),
)
INTEGER = int(MQCFT.INTEGER)
STRING = int(MQCFT.STRING)
BYTE_STRING = int(MQCFT.BYTE_STRING)
GROUP = int(MQCFT.GROUP)
INTEGER_LIST, STRING_LIST = int(MQCFT.INTEGER_LIST), int(MQCFT.STRING_LIST)
INTEGER_FILTER, STRING_FILTER = int(MQCFT.INTEGER_FILTER), int(MQCFT.STRING_FILTER)
BYTE_STRING_FILTER = int(MQCFT.BYTE_STRING_FILTER)
INTEGER64, INTEGER64_LIST = int(MQCFT.INTEGER64), int(MQCFT.INTEGER64_LIST)
# Whether the message is the last of its set.
NOT_LAST, LAST = int(MQCFC.NOT_LAST), int(MQCFC.LAST)
_VERSION = 1
HEADER_LENGTH, INTEGER_LENGTH = 36, 16
# A limit for data from outside; the groups of MQ's messages are at most two deep.
_DEEPEST = 16
_ENCODINGS = frozenset((int(MQENC.INTEGER_NORMAL), int(MQENC.INTEGER_REVERSED)))


class PcfError(HeaderError):
    """Data that is not valid PCF: the message says why, `reason` is the code with which a
    command server answers.
    """

    def __init__(self, reason: int, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = int(reason)


class CommandHeader(Struct, frozen=True):
    """The MQCFH except StrucLength and ParameterCount, which `pack` computes."""

    type: int
    command: int
    comp_code: int = 0
    reason: int = 0
    msg_seq_number: int = 1
    control: int = LAST
    version: int = _VERSION


class Integer64(int):
    """A number that is written in 8 bytes (MQCFIN64, or in a list MQCFIL64)."""


class Filter(Struct, frozen=True):
    """A comparison (MQCFIF, MQCFSF, MQCFBF): an operator (MQCFOP) and the value on its right."""

    operator: int
    value: int | str | bytes


Value = Union[int, str, bytes, "Sequence[int]", "Sequence[str]", Filter, "tuple[Parameter, ...]"]


class Parameter(NamedTuple):
    """A parameter; the type of its value decides the structure (MQCFIN, MQCFST, MQCFIL, MQCFSL,
    MQCFBS, MQCFGR, ...).

    Text is padded to `length` bytes, or the names of a list each; 0 means no padding, or that of
    the longest name. An empty list is an MQCFSL if it has a length. A tuple is a group of
    parameters.
    """

    number: int
    value: Value
    length: int = 0


class _Form(NamedTuple):
    """How texts and numbers are written: the byte order for `struct`, the CCSID and its codec,
    the Encoding.
    """

    order: str
    ccsid: int
    codec: str
    encoding: int = NATIVE

    def integers(self, *values: int) -> bytes:
        return struct.pack(f"{self.order}{len(values)}i", *values)

    def long_integers(self, values: Sequence[int]) -> bytes:
        return struct.pack(f"{self.order}{len(values)}q", *values)

    def read(self, data: bytes, at: int, count: int) -> tuple[int, ...]:
        return struct.unpack_from(f"{self.order}{count}i", data, at)

    def read_long(self, data: bytes, at: int, count: int) -> list[int]:
        return [*map(Integer64, struct.unpack_from(f"{self.order}{count}q", data, at))]

    def text(self, data: bytes, ccsid: int) -> str:
        """The text without padding; `ccsid` is that of the structure, where 0 or less means that
        of the message.
        """
        codec = self.codec if ccsid <= 0 else codec_of(ccsid, self.encoding)
        if codec is None:
            raise PcfError(
                MQRCCF.CCSID_ERROR,
                f"a text has the CCSID {ccsid}, which is not supported",
            )
        return data.decode(codec, "replace").rstrip(PADDING)


def pack(
    header: CommandHeader,
    parameters: Sequence[Parameter],
    encoding: int = NATIVE,
    ccsid: int = 1208,
) -> bytes:
    """Message data: the header and its parameters; a group counts as one parameter."""
    form = _Form(byte_order(encoding), ccsid, header_codec(ccsid))
    h = header
    numbers = (
        h.type,
        HEADER_LENGTH,
        h.version,
        h.command,
        h.msg_seq_number,
        h.control,
        h.comp_code,
        h.reason,
    )
    return form.integers(*numbers, len(parameters)) + b"".join(
        _packed(parameter, form) for parameter in parameters
    )


def _packed(parameter: Parameter, form: _Form) -> bytes:
    value = parameter.value
    if isinstance(value, Integer64):
        return form.integers(INTEGER64, 24, parameter.number, 0) + form.long_integers((value,))
    if isinstance(value, int):
        return form.integers(INTEGER, INTEGER_LENGTH, parameter.number, signed(value))
    if isinstance(value, str):
        text = _text(value, parameter.length, form)
        return _structure(STRING, form, (parameter.number, form.ccsid, len(text)), text)
    if isinstance(value, bytes):
        return _structure(BYTE_STRING, form, (parameter.number, len(value)), value)
    if isinstance(value, tuple):
        head = form.integers(GROUP, INTEGER_LENGTH, parameter.number, len(value))
        return head + b"".join(_packed(member, form) for member in value)
    if isinstance(value, Filter):
        return _packed_filter(parameter, value, form)
    names = [item for item in value if isinstance(item, str)]
    if names or parameter.length:
        return _string_list(parameter, names, form)
    if any(isinstance(item, Integer64) for item in value):
        wide = [item for item in value if isinstance(item, int)]
        return _structure(
            INTEGER64_LIST,
            form,
            (parameter.number, len(wide)),
            form.long_integers(wide),
        )
    numbers = [signed(item) for item in value if isinstance(item, int)]
    return _structure(INTEGER_LIST, form, (parameter.number, len(numbers)), form.integers(*numbers))


def _packed_filter(parameter: Parameter, filter: Filter, form: _Form) -> bytes:
    start = (parameter.number, filter.operator)
    if isinstance(filter.value, int):
        return _structure(INTEGER_FILTER, form, (*start, signed(filter.value)), b"")
    if isinstance(filter.value, bytes):
        return _structure(BYTE_STRING_FILTER, form, (*start, len(filter.value)), filter.value)
    text = _text(filter.value, parameter.length, form)
    return _structure(STRING_FILTER, form, (*start, form.ccsid, len(text)), text)


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


def unpack(
    data: bytes,
    encoding: int = NATIVE,
    ccsid: int = 1208,
) -> tuple[CommandHeader, list[Parameter]]:
    """The header and the parameters at the start of the data; text has no padding. PcfError if
    it is not PCF.
    """
    header, count = unpack_header(data, encoding)
    return header, unpack_parameters(data, count, encoding, ccsid)[0]


def unpack_header(data: bytes, encoding: int = NATIVE) -> tuple[CommandHeader, int]:
    """The header and the number of its parameters."""
    order = byte_order(encoding)
    if len(data) < HEADER_LENGTH:
        raise PcfError(
            MQRCCF.MSG_LENGTH_ERROR,
            f"not an MQCFH: {len(data)} bytes instead of {HEADER_LENGTH}",
        )
    numbers = struct.unpack_from(f"{order}9i", data)
    type_, length, version, command, sequence, control, completion, reason, count = numbers
    if length != HEADER_LENGTH:
        raise PcfError(
            MQRCCF.CFH_LENGTH_ERROR,
            f"not an MQCFH: StrucLength {length} and Version {version}",
        )
    if version < _VERSION:
        raise PcfError(
            MQRCCF.CFH_VERSION_ERROR,
            f"not an MQCFH: StrucLength {length} and Version {version}",
        )
    return CommandHeader(type_, command, completion, reason, sequence, control, version), count


def unpack_parameters(
    data: bytes,
    count: int,
    encoding: int = NATIVE,
    ccsid: int = 1208,
) -> tuple[list[Parameter], int]:
    """`count` parameters after the header, and the offset of the data after them; PcfError if
    they are not valid.
    """
    codec = codec_of(max(ccsid, 0), encoding)
    if codec is None:
        raise PcfError(
            MQRCCF.CCSID_ERROR,
            f"the message has the CCSID {ccsid}, which is not supported",
        )
    if encoding & int(MQENC.INTEGER_MASK) not in _ENCODINGS:
        raise PcfError(
            MQRCCF.ENCODING_ERROR,
            f"the message has the Encoding {encoding}; 546 and 273 are supported",
        )
    if count < 0:
        raise PcfError(MQRCCF.CFH_PARM_COUNT_ERROR, f"the ParameterCount is {count}")
    parameters, end = _parameters(
        data,
        HEADER_LENGTH,
        count,
        _Form(byte_order(encoding), ccsid, codec, encoding),
    )
    return list(parameters), end


def _parameters(
    data: bytes,
    at: int,
    count: int,
    form: _Form,
    depth: int = 0,
) -> tuple[tuple[Parameter, ...], int]:
    """`count` parameters from offset `at`, and the offset after them; they are inside `depth`
    groups.
    """
    if depth > _DEEPEST:
        raise PcfError(
            MQRCCF.CFGR_PARM_COUNT_ERROR,
            f"more than {_DEEPEST} groups inside one another at byte {at}",
        )
    parameters = []
    for _ in range(count):
        if len(data) < at + INTEGER_LENGTH:
            raise PcfError(MQRCCF.MSG_LENGTH_ERROR, f"incomplete parameter at byte {at}")
        type_, length, number, value = form.read(data, at, 4)
        shape = _SHAPES.get(type_)
        if shape is None:
            raise PcfError(
                MQRCCF.STRUCTURE_TYPE_ERROR,
                f"the parameter at byte {at} has the type {type_}",
            )
        if length < shape.head or length != _FIXED.get(type_, length):
            raise PcfError(
                shape.length_error,
                f"the parameter at byte {at} has a StrucLength of {length}",
            )
        if len(data) < at + length:
            sentence = (
                f"the parameter at byte {at} has a StrucLength of {length}, and the data ends "
                "before"
            )
            raise PcfError(MQRCCF.MSG_LENGTH_ERROR, sentence)
        if type_ == GROUP:
            if value < 0:
                raise PcfError(
                    MQRCCF.CFGR_PARM_COUNT_ERROR,
                    f"the group at byte {at} has {value} parameters",
                )
            members, at = _parameters(data, at + length, value, form, depth + 1)
            parameters.append(Parameter(number, members))
            continue
        parameters.append(_parameter(data[at : at + length], shape, form))
        at += length
    return tuple(parameters), at


def _parameter(data: bytes, shape: _Shape, form: _Form) -> Parameter:
    number, *others = form.read(data, 8, (shape.head - 8) // 4)
    if shape.width:
        _check_fits(data, shape.head, others[-1], shape.width, shape.count_error)
    return Parameter(number, *shape.read(form, data[shape.head :], *others))


def _check_fits(data: bytes, head: int, count: int, size: int, reason: int) -> None:
    if min(count, size) < 0 or head + count * size > len(data):
        raise PcfError(
            reason,
            f"{count} items of {size} bytes do not fit into a StrucLength of {len(data)}",
        )


def _strings(form: _Form, data: bytes, ccsid: int, count: int, size: int) -> tuple[Value, int]:
    if count < 0:
        _check_fits(data, 0, count, size, MQRCCF.CFSL_COUNT_ERROR)
    # Without a limit, data could claim any number of names of zero bytes.
    if size < 0 or (size == 0 and count > len(data)):
        _check_fits(data, 0, count, min(size, -1), MQRCCF.CFSL_STRING_LENGTH_ERR)
    _check_fits(data, 0, count, size, MQRCCF.CFSL_TOTAL_LENGTH_ERROR)
    return [
        form.text(data[at : at + size], ccsid) for at in (index * size for index in range(count))
    ], size


class _Shape(NamedTuple):
    """A type of structure: the length of its fixed part, the reason for a wrong length, and how it
    is read.

    `read` gets the form, the data after the fixed part, and the numbers in that after the
    parameter's; it returns the value, and the length of texts. The last number counts items of
    `width` bytes; `count_error` if they do not fit.
    """

    head: int
    length_error: int
    read: Callable[..., tuple[Value] | tuple[Value, int]]
    width: int = 0
    count_error: int = 0


def _text_value(form: _Form, data: bytes, ccsid: int, size: int) -> tuple[Value, int]:
    return form.text(data[:size], ccsid), size


def _text_filter(
    form: _Form,
    data: bytes,
    operator: int,
    ccsid: int,
    size: int,
) -> tuple[Value, int]:
    return Filter(operator, form.text(data[:size], ccsid)), size


def _bytes_filter(form: _Form, data: bytes, operator: int, size: int) -> tuple[Value]:
    return (Filter(operator, data[:size]),)


def _numbers(form: _Form, data: bytes, count: int) -> tuple[Value]:
    return ([*form.read(data, 0, count)],)


def _long_numbers(form: _Form, data: bytes, count: int) -> tuple[Value]:
    return (form.read_long(data, 0, count),)


_R = MQRCCF
_SHAPES: Mapping[int, _Shape] = {
    INTEGER: _Shape(16, _R.CFIN_LENGTH_ERROR, lambda form, data, value: (value,)),
    STRING: _Shape(20, _R.CFST_LENGTH_ERROR, _text_value, 1, _R.CFST_STRING_LENGTH_ERR),
    INTEGER_LIST: _Shape(16, _R.CFIL_LENGTH_ERROR, _numbers, 4, _R.CFIL_COUNT_ERROR),
    STRING_LIST: _Shape(24, _R.CFSL_LENGTH_ERROR, _strings),
    BYTE_STRING: _Shape(
        16,
        _R.CFBS_LENGTH_ERROR,
        lambda _, data, size: (data[:size],),
        1,
        _R.CFBS_STRING_LENGTH_ERR,
    ),
    INTEGER_FILTER: _Shape(20, _R.CFIF_LENGTH_ERROR, lambda form, data, *given: (Filter(*given),)),
    STRING_FILTER: _Shape(24, _R.CFSF_LENGTH_ERROR, _text_filter, 1, _R.CFSF_FILTER_VAL_LEN_ERR),
    BYTE_STRING_FILTER: _Shape(
        20,
        _R.CFBF_LENGTH_ERROR,
        _bytes_filter,
        1,
        _R.CFBF_FILTER_VAL_LEN_ERR,
    ),
    # Only its head: the members are structures of their own.
    GROUP: _Shape(16, _R.CFGR_LENGTH_ERROR, lambda form, data, count: (count,)),
    INTEGER64: _Shape(
        16,
        _R.CFIN_LENGTH_ERROR,
        lambda form, data, _: (form.read_long(data, 0, 1)[0],),
    ),
    INTEGER64_LIST: _Shape(16, _R.CFIL_LENGTH_ERROR, _long_numbers, 8, _R.CFIL_COUNT_ERROR),
}
# The lengths of structures without a variable part.
_FIXED = {INTEGER: 16, INTEGER_FILTER: 20, GROUP: 16, INTEGER64: 24}
