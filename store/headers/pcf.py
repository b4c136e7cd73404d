"""Programmable command format: the header MQCFH (36 bytes) and its parameters, as in event messages.

The length of a structure is a multiple of 4 bytes. Integers are in the Encoding and text in the CCSID of the message.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from store.headers.layout import NATIVE, PADDING, HeaderError, byte_order, fitted, header_codec, signed

# Types of structure (MQCFT), which are not in the table of constants.
INTEGER, STRING, EVENT = 3, 4, 7
LAST = 1  # MQCFC_LAST: the last message of the set
_VERSION = 1
HEADER_LENGTH, INTEGER_LENGTH, STRING_LENGTH = 36, 16, 20


@dataclass(frozen=True, slots=True)
class CommandHeader:
    """The MQCFH except StrucLength, Version and ParameterCount, which `pack` computes."""

    type: int
    command: int
    comp_code: int = 0
    reason: int = 0
    msg_seq_number: int = 1
    control: int = LAST


class Parameter(NamedTuple):
    """An MQCFIN, or with text an MQCFST. Text is padded to `length` bytes; 0 means no padding."""

    number: int
    value: int | str
    length: int = 0


def pack(header: CommandHeader, parameters: Sequence[Parameter], encoding: int = NATIVE, ccsid: int = 1208) -> bytes:
    """Message data: the header and its parameters."""
    order, codec = byte_order(encoding), header_codec(ccsid)
    h = header
    numbers = (h.type, HEADER_LENGTH, _VERSION, h.command, h.msg_seq_number, h.control, h.comp_code, h.reason)
    packed = [struct.pack(f"{order}9i", *numbers, len(parameters))]
    packed += [_packed(each, order, ccsid, codec) for each in parameters]
    return b"".join(packed)


def _packed(parameter: Parameter, order: str, ccsid: int, codec: str) -> bytes:
    number, value, length = parameter
    if isinstance(value, int):
        return struct.pack(f"{order}4i", INTEGER, INTEGER_LENGTH, number, signed(value))
    text = fitted(value, length, codec) if length else value.encode(codec, "replace")
    whole = STRING_LENGTH + _rounded(len(text))
    head = struct.pack(f"{order}5i", STRING, whole, number, ccsid, len(text))
    return (head + text).ljust(whole, b"\0")


def _rounded(length: int) -> int:
    return -(-length // 4) * 4


def unpack(data: bytes, encoding: int = NATIVE, ccsid: int = 1208) -> tuple[CommandHeader, list[Parameter]]:
    """The header and the parameters at the start of the data; text has no padding.

    HeaderError if the data is not PCF, or has parameters other than integers and strings.
    """
    order = byte_order(encoding)
    if len(data) < HEADER_LENGTH:
        raise HeaderError(f"not an MQCFH: {len(data)} bytes instead of {HEADER_LENGTH}")
    type_, length, version, command, sequence, control, completion, reason, count = struct.unpack_from(
        f"{order}9i", data
    )
    if length != HEADER_LENGTH or version < _VERSION:
        raise HeaderError(f"not an MQCFH: StrucLength {length} and Version {version}")
    header = CommandHeader(type_, command, completion, reason, sequence, control)
    return header, list(_parameters(data, order, count, header_codec(ccsid)))


def _parameters(data: bytes, order: str, count: int, codec: str) -> Iterator[Parameter]:
    at = HEADER_LENGTH
    for _ in range(count):
        if len(data) < at + INTEGER_LENGTH:
            raise HeaderError(f"incomplete parameter at byte {at}")
        type_, length, number, value = struct.unpack_from(f"{order}4i", data, at)
        if length < INTEGER_LENGTH or len(data) < at + length:
            raise HeaderError(f"the parameter at byte {at} has a StrucLength of {length}")
        if type_ == INTEGER:
            yield Parameter(number, value)
        elif type_ == STRING and length >= STRING_LENGTH:
            size = struct.unpack_from(f"{order}i", data, at + INTEGER_LENGTH)[0]
            text = data[at + STRING_LENGTH : at + STRING_LENGTH + min(size, length - STRING_LENGTH)]
            yield Parameter(number, text.decode(codec, "replace").rstrip(PADDING), size)
        else:
            raise HeaderError(f"the parameter at byte {at} has type {type_}, not integer or string")
        at += length
