"""Output of amqsbcg: descriptors, properties and data of the messages on a queue (import §3).

Nothing depends on columns but the groups of the data, so that text that lost its indentation is
read too. Data comes from the hexadecimal digits alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from msgspec import Struct, field

from mqsc.console.text.message_properties import GivenProperty
from mqsc.imports.qload import FoundMessages, MessageReader, Position, read_qload
from mqsc.imports.source_text import decoded
from mqsc.store.constants import MQTYPE
from mqsc.store.descriptor import FIELDS, MessageDescriptor
from mqsc.store.headers.mqmd import value_fault
from mqsc.store.message import Message

_COMMAND = re.compile(r"\bamqsbcgc? +(\S+) +([A-Za-z0-9._%/]+)")
_OPENED = re.compile(r"\s*MQOPEN - '([^']*)'")
_MESSAGE = re.compile(r"\s*MQGET of message number")
_END = re.compile(r"\s*(?:No more messages|MQCLOSE|MQDISC|AMQSBCG0 - starts)")
_SECTION = re.compile(r"\s*\*\*\*\*\s*([^*]+?)\s*\*\*\*\*")
_PAIR = re.compile(r"(\w+)\s*:\s*(X'[0-9A-Fa-f]*'|'[^']*'|-?\d+)")
_HEX_ALONE = re.compile(r"\s*X'([0-9A-Fa-f]*)'\s*$")
_PROPERTY = re.compile(r"\s*([^:]*?)\s*:\s*(.*?)\s*$")
_LENGTH = re.compile(r"\s*length - (\d+)(?: of (\d+))? bytes")
_DATA = re.compile(r"\s*[0-9A-Fa-f]{8}:\s+([0-9A-Fa-f ]*)")
_NAMES = {name.replace("_", ""): name for name in FIELDS}
_CUT, _SHOWN = "...", 40


class _Draft(Struct):
    """The message being read. `length` is that of the data, -1 as long as it is not known."""

    line: int
    section: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    properties: list[GivenProperty] = field(default_factory=list)
    data: bytearray = field(default_factory=bytearray)
    length: int = -1
    fault: str = ""
    is_token: bool = False

    def take(self, line: str) -> None:
        """Take a line of the message."""
        if match := _SECTION.match(line):
            self.section = match[1].lower()
        try:
            if self.section == "message descriptor":
                self._take_fields(line)
            elif self.section == "message properties":
                self._take_property(line)
            elif self.section == "message" and (match := _LENGTH.match(line)):
                self.length = int(match[1])
            elif self.section == "message" and (match := _DATA.match(line)):
                self.data += bytes.fromhex(match[1])
        except ValueError:
            self.fault = self.fault or f"{line.strip()[:_SHOWN]} has no valid value"

    def _take_fields(self, line: str) -> None:
        if line.strip() == _CUT:
            self.fault = self.fault or "the descriptor is cut"
        if self.is_token and (match := _HEX_ALONE.match(line)):
            self.fields["accounting_token"] = bytes.fromhex(match[1])
        self.is_token = "accountingtoken" in line.lower()
        for word, value in _PAIR.findall(line):
            name = _NAMES.get(word.lower())
            if name is None:
                continue
            try:
                converted = _value(name, value)
            except ValueError:
                converted = None
            if converted is None or value_fault(name, converted):
                self.fault = self.fault or f"{word} has no valid value"
            else:
                self.fields[name] = converted

    def _take_property(self, line: str) -> None:
        match = _PROPERTY.match(line)
        if match is None or not match[1]:
            return
        text = match[2]
        if text.startswith("'"):
            self.properties.append(
                GivenProperty(match[1], MQTYPE.STRING, text[1:].removesuffix("'")),
            )
        elif text.startswith("X'"):
            self.properties.append(
                GivenProperty(match[1], MQTYPE.BYTE_STRING, bytes.fromhex(text[2:].rstrip("'"))),
            )
        elif text.lstrip("-").isdigit():
            # The shortest type from 32 bits on: amqsbcg does not say which it was.
            number = int(text)
            if not -(1 << 63) <= number < 1 << 63:
                raise ValueError
            type_ = MQTYPE.INT32 if -(1 << 31) <= number < 1 << 31 else MQTYPE.INT64
            self.properties.append(GivenProperty(match[1], type_, number))
        elif text:
            self.properties.append(GivenProperty(match[1], MQTYPE.STRING, text))

    def messages_before(self, at: Position) -> FoundMessages:
        """The message; if bytes are missing, those that are there, with a fault."""
        is_lost = self.length < 0
        if is_lost:
            self.fault = self.fault or "its data is missing"
        elif len(self.data) != self.length:
            self.fault = (
                self.fault or f"it is truncated: {len(self.data)} of {self.length} bytes are there"
            )
        message = Message(bytes(self.data), MessageDescriptor(**self.fields))
        where = [self.line], [at.offset], at.line, at.qmgr, at.queue
        return FoundMessages(
            *where,
            [message],
            tuple(self.properties),
            self.fault,
            self.line,
            is_lost,
        )


def _value(name: str, text: str) -> Any:
    usual = getattr(_DEFAULT, name)
    if text.startswith("X'"):
        data = bytes.fromhex(text[2:-1])
        return data.decode().rstrip(" \0") if isinstance(usual, str) else data
    plain = text.strip("'")
    return type(usual)(plain if isinstance(usual, int) else plain.rstrip(" \0"))


_DEFAULT = MessageDescriptor()


def read_amqsbcg(lines: BinaryIO, at: Position) -> Iterator[FoundMessages]:
    """The messages of a file from the position on, which is kept up to date; damaged ones have a
    fault.
    """
    draft: _Draft | None = None
    for raw in lines:
        line = decoded(raw, "latin-1").rstrip("\r\n")
        begins = _MESSAGE.match(line)
        if draft is not None and (begins or _END.match(line)):
            yield draft.messages_before(at)
            draft = None
        if begins:
            draft = _Draft(at.line)
        elif draft is not None:
            draft.take(line)
        elif match := _OPENED.match(line):
            at.queue = match[1].strip()
        elif match := _COMMAND.search(line):
            at.qmgr = match[2]
        at.line += 1
        at.offset += len(raw)
    if draft is not None:
        yield draft.messages_before(at)


# By the name of their format.
READERS: Mapping[str, MessageReader] = {"qload": read_qload, "amqsbcg": read_amqsbcg}
