"""Messages and their properties as text and as JSON, and what the options that select messages
mean.

The JSON has the keys of MessageDescriptor, with identifiers in hexadecimal, and `body`, which is
{"text": ...} when the bytes are UTF-8, otherwise {"base64": ...}.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from mqsc.console.parameters import TextType, iso
from mqsc.console.terminal import printable
from mqsc.console.text.reasons import counted, reason_text
from mqsc.store import GetMessageOptions, Message, MessageDescriptor, MQError
from mqsc.store.catalog.spelling import hint
from mqsc.store.constants import MQMO, MQRC, MQTYPE, name_of
from mqsc.store.descriptor import FIELDS
from mqsc.store.error import SelectorError
from mqsc.store.headers.mqmd import value_fault

if TYPE_CHECKING:
    from mqsc.console.terminal import Choices
    from mqsc.store.client.connection import Connection
    from mqsc.store.client.message_handle import MessageHandle
    from mqsc.store.client.object_handle import ObjectHandle


# The constants that name a number in the text form.
FAMILIES = {"msg_type": "MQMT", "feedback": "MQFB", "persistence": "MQPER", "put_appl_type": "MQAT"}
# Keys that `browse`, `get` and `dlq show` add to a message; ignored when the message is read back.
ADDED_KEYS = frozenset({"dead_letter", "origin", "put_at", "age", "expires_at", "expired"})
NAME_WIDTH = 20
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


# Message properties on the command line: `--property NAME:TYPE=VALUE`, `--selector`, and properties
# as JSON.

# The words for the types; a property without one is a string.
_AS_NAMED = ("INT8", "INT16", "INT32", "INT64", "FLOAT32", "FLOAT64", "NULL")
TYPES: Mapping[str, MQTYPE] = {
    **{"string": MQTYPE.STRING, "boolean": MQTYPE.BOOLEAN, "bytes": MQTYPE.BYTE_STRING},
    **{name.lower(): MQTYPE[name] for name in _AS_NAMED},
}
_WORDS = {type: word for word, type in TYPES.items()}
# How a command gets messages: properties set through a message handle are apart from the data, and
# an MQRFH2 that an application put stays in it, byte for byte.
AS_PUT = "V6COMPAT"
_NAME_ERRORS = frozenset((MQRC.PROPERTY_NAME_ERROR, MQRC.PROPERTY_NAME_LENGTH_ERR))
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


class GivenProperty(NamedTuple):
    """A property from the command line or from JSON."""

    name: str
    type: MQTYPE
    value: bool | int | float | bytes | str | None


class PropertyText(TextType):
    """NAME=VALUE or NAME:TYPE=VALUE."""

    name = "property"

    def read(self, text: str) -> GivenProperty:
        left, sign, value = text.partition("=")
        name, _, word = left.partition(":")
        type = TYPES.get(word.lower() or "string")
        if type is None:
            raise ValueError(
                f"{word!r} is not a type of property; {hint(word, [*TYPES], 'use one of')}",
            )
        if not name or (not sign and type != MQTYPE.NULL):
            raise ValueError(
                f"{text!r} is not a property; use NAME=VALUE or NAME:TYPE=VALUE, such as color=red",
            )
        try:
            return GivenProperty(name, type, from_text(type, value))
        except ValueError:
            raise ValueError(
                f"{value!r} is not a value of type {_WORDS[type]}, in {text!r}",
            ) from None


def from_text(type: MQTYPE, text: str) -> bool | int | float | bytes | str | None:
    """The value that a text on the command line means; ValueError if it means none of that type."""
    if type == MQTYPE.BOOLEAN:
        found = _BOOLEANS.get(text.lower())
        if found is None:
            raise ValueError(text)
        return found
    if type == MQTYPE.NULL:
        if text:
            raise ValueError(text)
        return None
    return _READ[type](text)


_READ: Mapping[MQTYPE, Callable[[str], int | float | bytes | str]] = {
    MQTYPE.STRING: str,
    MQTYPE.BYTE_STRING: bytes.fromhex,
    **dict.fromkeys((MQTYPE.INT8, MQTYPE.INT16, MQTYPE.INT32, MQTYPE.INT64), int),
    **dict.fromkeys((MQTYPE.FLOAT32, MQTYPE.FLOAT64), float),
}


def opened(connection: Connection, queue: str, options: int, selector: str) -> ObjectHandle:
    """The queue, open for the messages that the selector selects; UsageError for an invalid
    selector.
    """
    try:
        return connection.open(queue, options, selection=selector, dynamic_name=None)
    except SelectorError as refused:
        raise selector_fault(refused) from refused


def selector_fault(refused: SelectorError) -> click.UsageError:
    return click.UsageError(
        printable(f"--selector: {refused.fault}, at character {refused.position}"),
    )


def handle_with(connection: Connection, properties: Iterable[GivenProperty]) -> MessageHandle:
    """A message handle with these properties; ValueError says which cannot be set."""
    handle = connection.create_message_handle()
    for message_property in properties:
        try:
            handle.set(message_property.name, message_property.value, type=message_property.type)
        except MQError as refused:
            why = (
                "no property can have this name" if refused.reason in _NAME_ERRORS else str(refused)
            )
            raise ValueError(
                f"property {message_property.name[:80]!r}: {why} ({int(refused.reason)})",
            ) from refused
        except ValueError as fault:
            raise ValueError(f"property {message_property.name[:80]!r}: {fault}") from fault
    return handle


def with_properties(connection: Connection, options: GetMessageOptions) -> MessageHandle:
    """The handle that receives the properties of each message got with these options."""
    handle = connection.create_message_handle()
    options.message_handle, options.property_control = handle, AS_PUT
    return handle


def properties_as_json(handle: MessageHandle) -> dict[str, Any]:
    """Properties by name: a text, true or false, null, or an object of type and value."""
    return {name: _json_value(type, value) for name, type, value in _shown(handle)}


def _json_value(type: int, value: Any) -> Any:
    """JSON has no infinite numbers: they are texts, as are bytes."""
    if type in (MQTYPE.STRING, MQTYPE.BOOLEAN, MQTYPE.NULL):
        return value
    if isinstance(value, bytes):
        value = value.hex().upper()
    elif isinstance(value, float) and not math.isfinite(value):
        value = str(value)
    return {_WORDS[MQTYPE(type)]: value}


def properties_from_json(document: Any) -> tuple[GivenProperty, ...]:
    """The properties of a message in JSON; ValueError says what is expected."""
    if not isinstance(document, dict):
        raise ValueError(
            'properties must be an object, such as {"color": "red", "size": {"int32": 5}}',
        )
    return tuple(_of_json(name, value) for name, value in document.items())


def _of_json(name: str, value: Any) -> GivenProperty:
    plain = next((type for kind, type in _PLAIN if isinstance(value, kind)), None)
    if plain is not None:
        return GivenProperty(name, plain, value)
    if isinstance(value, dict) and len(value) == 1:
        ((word, content),) = value.items()
        type = TYPES.get(word)
        if type is not None and not isinstance(content, bool | dict | list | None):
            try:
                return GivenProperty(name, type, from_text(type, str(content)))
            except ValueError:
                raise ValueError(
                    f"property {name!r}: {content!r} is not a value of type {word}",
                ) from None
    raise ValueError(
        f'property {name!r} must be a text, true, false, null or an object such as {{"int32": 5}}; '
        f"types are {', '.join(TYPES)}",
    )


_PLAIN = ((str, MQTYPE.STRING), (bool, MQTYPE.BOOLEAN), (type(None), MQTYPE.NULL))


def property_lines(handle: MessageHandle) -> Iterator[str]:
    """The properties as text, one per line, with the types of those that are not strings."""
    shown = list(_shown(handle))
    if shown:
        yield "   properties:"
    for name, type, value in shown:
        text = value if isinstance(value, str) else _plain_text(value)
        word = "" if type == MQTYPE.STRING else f"  {_WORDS[MQTYPE(type)]}"
        yield f"      {printable(name):<{NAME_WIDTH - 3}}{printable(text)}{word}".rstrip()


def _plain_text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.hex().upper()
    return "" if value is None else str(value).lower()


def _shown(handle: MessageHandle) -> Iterator[tuple[str, int, Any]]:
    types = handle.types
    for name, value in handle.values.items():
        yield name, types[name], value


def as_text(handle: MessageHandle) -> str:
    """The properties as one line of JSON, for the environment of a program."""
    return json.dumps(properties_as_json(handle), ensure_ascii=False)


# Getting messages by identifier: the values of the options for that, and a get that may find none.
MATCHES = {
    "msg_id": MQMO.MATCH_MSG_ID,
    "correl_id": MQMO.MATCH_CORREL_ID,
    "group_id": MQMO.MATCH_GROUP_ID,
}


def options_matching(identifiers: Mapping[str, Any], options: int) -> GetMessageOptions:
    """Get options that match the given identifiers, or any message when none is given."""
    wanted = {name: identifiers[name] for name in MATCHES if identifiers[name]}
    return GetMessageOptions(options, match_options=sum(MATCHES[name] for name in wanted), **wanted)


def get_or_none(handle: ObjectHandle, options: GetMessageOptions) -> Message | None:
    """Get a message; None when there is none (2033), or the one under the cursor is gone (2034)."""
    try:
        return handle.get(options)
    except MQError as error:
        if error.reason not in (MQRC.NO_MSG_AVAILABLE, MQRC.NO_MSG_UNDER_CURSOR):
            raise
        return None


def inform_about_discarded(choices: Choices, connection: Connection) -> None:
    """Say how many expired messages the gets and browses of the connection have discarded since
    this was last said.
    """
    count, connection.expired_discarded = connection.expired_discarded, 0
    if count and choices.is_past:
        choices.inform(
            f"mqsc: {counted(count, 'message')} had expired and {'is' if count == 1 else 'are'} "
            "not shown",
        )
    elif count:
        choices.inform(
            f"mqsc: {counted(count, 'expired message')} {'was' if count == 1 else 'were'} "
            "discarded",
        )
