"""Messages as JSON and as text, in the same form for every command that reads or prints them.

The JSON has the keys of MessageDescriptor, with identifiers in hexadecimal, and `body`: {"text": ...} when the bytes
are UTF-8, otherwise {"base64": ...}.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from mqsc.console.parameter_types import iso
from mqsc.console.terminal import printable
from mqsc.console.text import message_properties
from mqsc.console.text.message_properties import GivenProperty
from mqsc.console.text.reasons import reason_text
from store import Message, MessageDescriptor
from store.catalog import nearest
from store.constants import name_of
from store.descriptor import FIELDS
from store.headers.mqmd import value_fault

if TYPE_CHECKING:
    from store.client.message_handle import MessageHandle

# The constants that name a number in the text form.
FAMILIES = {"msg_type": "MQMT", "feedback": "MQFB", "persistence": "MQPER", "put_appl_type": "MQAT"}
# Keys that `browse`, `get` and `dlq show` add to a message; ignored when the message is read back.
ADDED_KEYS = frozenset({"dead_letter", "origin", "put_at", "age", "expires_at", "expired"})
NAME_WIDTH = 20
DUMP_WIDTH = 16


class MessageFormatError(ValueError):
    """A JSON text that is not a message; the text of the error says what is expected."""


def as_json(message: Message, properties: MessageHandle | None = None) -> dict[str, Any]:
    """The message as data for JSON, with its properties if there are any."""
    fields = {name: getattr(message.descriptor, name) for name in FIELDS}
    plain = {name: value.hex() if isinstance(value, bytes) else _plain(value) for name, value in fields.items()}
    shown = {} if properties is None else message_properties.as_json(properties)
    put_at = message.descriptor.put_at
    when = {} if put_at is None else {"put_at": iso(put_at)}
    return {**plain, **when, **({"properties": shown} if shown else {}), "body": body_as_json(message.body)}


def body_as_json(body: bytes) -> dict[str, str]:
    """{"text": ...} for UTF-8, otherwise {"base64": ...}; both keep every byte."""
    try:
        return {"text": body.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(body).decode("ascii")}


def from_json(text: str) -> Message:
    """The message that a JSON object describes; missing keys get their defaults. May raise MessageFormatError.

    Properties are refused: `with_properties_from_json` reads them too.
    """
    message, properties = with_properties_from_json(text)
    if properties:
        raise MessageFormatError("properties cannot be given here")
    return message


def with_properties_from_json(text: str) -> tuple[Message, tuple[GivenProperty, ...]]:
    """The message that a JSON object describes, and its properties."""
    try:
        given = json.loads(text)
    except json.JSONDecodeError as error:
        raise MessageFormatError(f"column {error.colno}: not JSON: {error.msg}") from error
    if not isinstance(given, dict):
        raise MessageFormatError("a message must be a JSON object with the fields of a message descriptor and a body")
    body = _body(given.pop("body", {"text": ""}))
    try:
        properties = message_properties.from_json(given.pop("properties", {}))
    except ValueError as fault:
        raise MessageFormatError(str(fault)) from fault
    default = MessageDescriptor()
    fields = {name: _field(name, value, default) for name, value in given.items() if name not in ADDED_KEYS}
    try:
        return Message(body, MessageDescriptor(**fields)), properties
    except ValueError as error:
        raise MessageFormatError(str(error)) from error


def from_json_line(line: bytes) -> Message | None:
    """The message in a line of a JSON array or of JSON lines; None for a bracket or an empty line."""
    text = _json_in(line)
    return from_json(text) if text else None


def with_properties_from_json_line(line: bytes) -> tuple[Message, tuple[GivenProperty, ...]] | None:
    """The message in such a line, and its properties."""
    text = _json_in(line)
    return with_properties_from_json(text) if text else None


def _json_in(line: bytes) -> str:
    try:
        text = line.decode("utf-8").strip().removesuffix(",")
    except UnicodeDecodeError as error:
        raise MessageFormatError(f"byte {error.start + 1} is not UTF-8") from error
    return "" if text in ("[", "]") else text


def descriptor_lines(descriptor: MessageDescriptor) -> Iterator[str]:
    """The fields of a descriptor, one per line; numbers with the name of their constant."""
    for name in FIELDS:
        value = getattr(descriptor, name)
        shown = value.hex().upper() if isinstance(value, bytes) else str(value)
        if name in FAMILIES:
            constant = name_of(FAMILIES[name], int(value))
            shown += "" if constant == shown else f"  {constant}"
        if name == "feedback" and value:
            number, _, meaning = reason_text(int(value)).partition(" ")
            shown = f"{number}  {meaning}"
        yield f"   {name:<{NAME_WIDTH}}{printable(shown)}".rstrip()


def body_lines(body: bytes) -> Iterator[str]:
    """The body as readable lines: the text, or a hexadecimal dump when it is not text."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" not in text:
        yield from (printable(line) for line in text.split("\n"))
        return
    for at in range(0, len(body), DUMP_WIDTH):
        piece = body[at : at + DUMP_WIDTH]
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in piece)
        yield f"{at:08X}: {piece.hex(' ', 2).upper():<40} '{letters}'"


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, int) else value


def _body(given: Any) -> bytes:
    match given:
        case {"text": str(text), **rest} if not rest:
            return text.encode("utf-8", "surrogatepass")
        case {"base64": str(text), **rest} if not rest:
            try:
                return base64.b64decode(text, validate=True)
            except binascii.Error as error:
                raise MessageFormatError("body: not base64") from error
    raise MessageFormatError('body must be {"text": "..."} or {"base64": "..."}')


def _field(name: str, value: Any, default: MessageDescriptor) -> Any:
    if name not in FIELDS:
        close = nearest(name.upper(), [field.upper() for field in FIELDS])
        raise MessageFormatError(
            f"{name!r} is not a field of a message{f'; did you mean {close.lower()}?' if close else ''}"
        )
    wanted = getattr(default, name)
    if isinstance(wanted, bytes):
        return _bytes(name, value)
    if type(value) is not type(wanted):
        raise MessageFormatError(f"{name} must be a {'number' if isinstance(wanted, int) else 'text'}")
    if fault := value_fault(name, value):
        raise MessageFormatError(fault)
    return value


def _bytes(name: str, value: Any) -> bytes:
    try:
        return bytes.fromhex(value)
    except (TypeError, ValueError) as error:
        raise MessageFormatError(f"{name} must be hexadecimal digits") from error
