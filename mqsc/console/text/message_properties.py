"""Message properties on the command line: `--property NAME:TYPE=VALUE`, and properties as JSON and
as text.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from mqsc.console.parameters import TextType
from mqsc.console.terminal import printable
from mqsc.store import MQError
from mqsc.store.catalog.spelling import hint
from mqsc.store.constants import MQRC, MQTYPE

if TYPE_CHECKING:
    from mqsc.store.client.connection import Connection
    from mqsc.store.client.message_handle import MessageHandle

NAME_WIDTH = 20


# The words for the types; a property without one is a string.
_AS_NAMED = ("INT8", "INT16", "INT32", "INT64", "FLOAT32", "FLOAT64", "NULL")
TYPES: Mapping[str, MQTYPE] = {
    **{"string": MQTYPE.STRING, "boolean": MQTYPE.BOOLEAN, "bytes": MQTYPE.BYTE_STRING},
    **{name.lower(): MQTYPE[name] for name in _AS_NAMED},
}
_WORDS = {type: word for word, type in TYPES.items()}
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
        boolean = _BOOLEANS.get(text.lower())
        if boolean is None:
            raise ValueError(text)
        return boolean
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


def handle_with(
    connection: Connection | None, properties: Iterable[GivenProperty]
) -> MessageHandle:
    """A message handle with these properties; ValueError says which cannot be set. Without a
    connection, it is for looking at.
    """
    if connection is None:
        from mqsc.store.client.message_handle import MessageHandle

        handle = MessageHandle(None)
    else:
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


def properties_as_json(handle: MessageHandle) -> dict[str, Any]:
    """Properties by name: a text, true or false, null, or an object of type and value."""
    return {name: _json_value(type, value) for name, type, value in _typed_values(handle)}


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
    shown = list(_typed_values(handle))
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


def _typed_values(handle: MessageHandle) -> Iterator[tuple[str, int, Any]]:
    types = handle.types
    for name, value in handle.values.items():
        yield name, types[name], value


def as_text(handle: MessageHandle) -> str:
    """The properties as one line of JSON, for the environment of a program."""
    return json.dumps(properties_as_json(handle), ensure_ascii=False)
