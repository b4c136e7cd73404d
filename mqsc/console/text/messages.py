"""Messages as text and as JSON.

The JSON has the keys of MessageDescriptor, with identifiers in hexadecimal, and `body`, which is
{"text": ...} when the bytes are UTF-8, otherwise {"base64": ...}.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from mqsc.console.parameters import iso
from mqsc.console.terminal import printable
from mqsc.console.text.message_properties import (
    NAME_WIDTH,
    GivenProperty,
    properties_as_json,
    properties_from_json,
)
from mqsc.console.text.reasons import reason_text
from mqsc.store import Message, MessageDescriptor
from mqsc.store.catalog.spelling import hint
from mqsc.store.constants import name_of
from mqsc.store.descriptor import FIELDS
from mqsc.store.headers.mqmd import value_fault

if TYPE_CHECKING:
    from mqsc.store.client.message_handle import MessageHandle


# The constants that name a number in the text form.
FAMILIES = {"msg_type": "MQMT", "feedback": "MQFB", "persistence": "MQPER", "put_appl_type": "MQAT"}
# Keys that `browse`, `get` and `dlq show` add to a message; ignored when the message is read back.
ADDED_KEYS = frozenset({"dead_letter", "origin", "put_at", "age", "expires_at", "expired"})

DUMP_WIDTH = 16


class MessageFormatError(ValueError):
    """A JSON text that is not a message; the text of the error says what is expected."""


def message_as_json(message: Message, properties: MessageHandle | None = None) -> dict[str, Any]:
    """The message as data for JSON, with its properties if there are any."""
    fields = {name: getattr(message.descriptor, name) for name in FIELDS}
    plain = {
        name: value.hex() if isinstance(value, bytes) else _plain(value)
        for name, value in fields.items()
    }
    shown = {} if properties is None else properties_as_json(properties)
    put_at = message.descriptor.put_at
    when = {} if put_at is None else {"put_at": iso(put_at)}
    return {
        **plain,
        **when,
        **({"properties": shown} if shown else {}),
        "body": body_as_json(message.body),
    }


def body_as_json(body: bytes) -> dict[str, str]:
    """{"text": ...} for UTF-8, otherwise {"base64": ...}; both keep every byte."""
    try:
        return {"text": body.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(body).decode("ascii")}


def from_json(text: str) -> tuple[Message, tuple[GivenProperty, ...]]:
    """The message that a JSON object describes, and its properties; missing keys get their
    defaults.

    May raise MessageFormatError.
    """
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise MessageFormatError(f"column {error.colno}: not JSON: {error.msg}") from error
    if not isinstance(document, dict):
        raise MessageFormatError(
            "a message must be a JSON object with the fields of a message descriptor and a body",
        )
    body = _body(document.pop("body", {"text": ""}))
    default = MessageDescriptor()
    try:
        properties = properties_from_json(document.pop("properties", {}))
        fields = {
            name: _field(name, value, default)
            for name, value in document.items()
            if name not in ADDED_KEYS
        }
        return Message(body, MessageDescriptor(**fields)), properties
    except ValueError as fault:
        raise MessageFormatError(str(fault)) from fault


def with_properties_from_json_line(line: bytes) -> tuple[Message, tuple[GivenProperty, ...]] | None:
    """The message in a line of a JSON array or of JSON lines, with its properties; None for a
    bracket or blanks.
    """
    try:
        text = line.decode("utf-8").strip().removesuffix(",")
    except UnicodeDecodeError as error:
        raise MessageFormatError(f"byte {error.start + 1} is not UTF-8") from error
    return from_json(text) if text not in ("", "[", "]") else None


def from_json_line(line: bytes) -> Message | None:
    """The message in such a line; one with properties is refused."""
    message, properties = with_properties_from_json_line(line) or (None, ())
    if properties:
        raise MessageFormatError("properties cannot be given here")
    return message


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
    yield from _dump(body)


def _dump(body: bytes) -> Iterator[str]:
    for at in range(0, len(body), DUMP_WIDTH):
        piece = body[at : at + DUMP_WIDTH]
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in piece)
        yield f"{at:08X}: {piece.hex(' ', -2).upper():<40} '{letters}'"


def _json_lines(body: bytes) -> Iterator[str]:
    """JSON with indentation; other data as readable lines."""
    try:
        yield from (
            printable(line)
            for line in json.dumps(json.loads(body), indent=2, ensure_ascii=False).split("\n")
        )
    except ValueError:
        yield from body_lines(body)


def _text_lines(body: bytes) -> Iterator[str]:
    return (printable(line) for line in body.decode("utf-8", "backslashreplace").split("\n"))


# How `mqsc browse --body` shows data.
BODIES: Mapping[str, Callable[[bytes], Iterator[str]]] = {
    "text": _text_lines,
    "json": _json_lines,
    "hex": _dump,
}


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, int) else value


def _body(document: Any) -> bytes:
    match document:
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
        raise MessageFormatError(
            f"{name!r} is not a field of a message; {hint(name, [*FIELDS], 'the fields are')}",
        )
    wanted = getattr(default, name)
    if isinstance(wanted, bytes):
        return _bytes(name, value)
    if type(value) is not type(wanted):
        raise MessageFormatError(
            f"{name} must be a {'number' if isinstance(wanted, int) else 'text'}",
        )
    if fault := value_fault(name, value):
        raise MessageFormatError(fault)
    return value


def _bytes(name: str, value: Any) -> bytes:
    try:
        return bytes.fromhex(value)
    except (TypeError, ValueError) as error:
        raise MessageFormatError(f"{name} must be hexadecimal digits") from error
