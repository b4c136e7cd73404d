"""The header ibm-mq-usr: message properties as a list of name;type;value (rest §5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from mqsc.http.errors import RestError
from mqsc.store.constants import MQTYPE
from mqsc.store.rules.properties.property_types import Value

HEADER = "ibm-mq-usr"
STRING = int(MQTYPE.STRING)
_BOOLEAN = int(MQTYPE.BOOLEAN)
_TYPES = {
    "boolean": _BOOLEAN,
    "byte": int(MQTYPE.INT8),
    "short": int(MQTYPE.INT16),
    "integer": int(MQTYPE.INT32),
    "long": int(MQTYPE.INT64),
    "float": int(MQTYPE.FLOAT32),
    "double": int(MQTYPE.FLOAT64),
    "string": STRING,
}
_WORDS = {number: word for word, number in _TYPES.items()}
_FLOATS = (_TYPES["float"], _TYPES["double"])
_ITEM = re.compile(r'\s*([^\s;,"]+)\s*;\s*([a-z]+)\s*;\s*("(?:[^"\\]|\\.)*"|[^",;]*)\s*(,|\Z)')
_ESCAPED = re.compile(r"\\(.)")
_FORM = 'a list such as color;string;"red", size;integer;5'
_BOOLEANS = {"true": True, "false": False}


class UserProperty(NamedTuple):
    """A property with its type (MQTYPE)."""

    name: str
    type: int
    value: Value


def read(text: str) -> list[UserProperty]:
    """The properties in the header; RestError 400 for what is not such a list."""
    found: list[UserProperty] = []
    at = 0
    ended = not text.strip()
    while not ended:
        item = _ITEM.match(text, at)
        if item is None:
            raise _refused(text)
        name, word, value, end = item.groups()
        found.append(UserProperty(name, *_typed(word, value.strip(), text)))
        at = item.end()
        ended = not end
    return found


def _typed(word: str, value: str, text: str) -> tuple[int, Value]:
    """The type and the value of a property."""
    type_ = _TYPES.get(word)
    is_quoted = value.startswith('"')
    if type_ is None or is_quoted != (type_ == STRING):
        raise _refused(text)
    if type_ == STRING:
        return type_, _ESCAPED.sub(r"\1", value[1:-1])
    if type_ == _BOOLEAN:
        if value.lower() not in _BOOLEANS:
            raise _refused(text)
        return type_, _BOOLEANS[value.lower()]
    try:
        return type_, float(value) if type_ in _FLOATS else int(value)
    except ValueError:
        raise _refused(text) from None


def _refused(text: str) -> RestError:
    return RestError(400, "MQWB0302E", f"{HEADER} has the value '{text}' and takes {_FORM}")


def written(properties: Mapping[str, Value], types: Mapping[str, int]) -> str:
    """The properties of the folder usr as the header; those of JMS and of MQ have headers of their
    own, or none.
    """
    return ", ".join(
        f"{name};{_WORDS[types[name]]};{_value_text(value)}"
        for name, value in properties.items()
        if _is_user_property(name) and types[name] in _WORDS
    )


def _is_user_property(name: str) -> bool:
    return "." not in name and not name.startswith(("JMS", "MQ"))


def _value_text(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return str(value)
