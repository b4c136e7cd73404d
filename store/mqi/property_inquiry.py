"""What an inquiry of a property returns: converted, and cut to the program's buffer (properties §2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from mqsc.store.constants import MQCC, MQIMPO, MQRC
from mqsc.store.error import MQError
from mqsc.store.rules.properties import property_names, property_types
from mqsc.store.rules.properties.property_set import (
    TYPE_NOT_SUPPORTED,
    Property,
    PropertyDescriptor,
)
from mqsc.store.rules.properties.property_types import Value

_INQUIRED_NATIVE, _INQUIRED_UTF_8 = 546, 1208
_CONVERT_INQUIRED, _LENGTH_INQUIRED = int(MQIMPO.CONVERT_TYPE), int(MQIMPO.QUERY_LENGTH)
_CONVERT_VALUE = int(MQIMPO.CONVERT_VALUE)


@dataclass(frozen=True, slots=True)
class InquiredProperty:
    """What MQINQMP returns: the value as Python has it, and as bytes in `encoding` and
    `coded_char_set_id`.

    `data_length` is the length of the whole value, `data` is what fits the buffer. `type_string`
    holds the `dt` of a type that is not known (reason 2467). `completion` is 1 with a warning.

    >>> handle = mqsc.MessageHandle(None)
    >>> handle.set("size", 5)
    >>> found = handle.inquire("si%")
    >>> found.value, found.type == mqsc.MQTYPE.INT32
    (5, True)
    """

    name: str
    type: int
    value: Value
    data: bytes
    data_length: int
    descriptor: PropertyDescriptor
    encoding: int
    coded_char_set_id: int
    type_string: str = ""
    completion: int = 0
    reason: int = 0


class PropertyTooBigError(MQError):
    """The value (2469) or the name (2465) is longer than the buffer; `found` is what MQINQMP
    returns all the same.

    >>> handle = mqsc.MessageHandle(None)
    >>> handle.set("color", "red")
    >>> handle.inquire("color", buffer_length=1)
    Traceback (most recent call last):
    mqsc.PropertyTooBigError: 2469 ...
    """

    __module__ = "mqsc"

    def __init__(self, reason: int, found: InquiredProperty) -> None:
        super().__init__(reason, found.name)
        self.found = found


class Inquiry(NamedTuple):
    """The options of MQINQMP, apart from the name."""

    options: int
    type: int | None
    buffer_length: int | None
    name_length: int | None
    encoding: int
    coded_char_set_id: int


def returned(message_property: Property, inquiry: Inquiry) -> InquiredProperty:
    """The property as MQINQMP returns it. PropertyFault 2470, 2472; PropertyTooBigError 2465,
    2469.
    """
    option_bits, type, buffer_length, name_length, encoding, ccsid = inquiry
    kind = message_property.type
    value = message_property.value
    reason = TYPE_NOT_SUPPORTED if message_property.unknown_type else 0
    if option_bits & _CONVERT_INQUIRED and type:
        value = property_types.convert(kind, value, type)
        kind = type
    if not option_bits & _CONVERT_VALUE:
        encoding, ccsid = _INQUIRED_NATIVE, _INQUIRED_UTF_8
    data = property_types.to_bytes(kind, value, encoding, ccsid)
    if data is None:
        encoding = _INQUIRED_NATIVE
        ccsid = _INQUIRED_UTF_8
        reason = int(MQRC.PROP_VALUE_NOT_CONVERTED)
        data = property_types.to_bytes(kind, value) or b""
    shown = property_names.shown(message_property.name)
    inquired = InquiredProperty(
        shown,
        kind,
        value,
        data if buffer_length is None or option_bits & _LENGTH_INQUIRED else data[:buffer_length],
        len(data),
        message_property.descriptor,
        encoding,
        ccsid,
        message_property.unknown_type,
        MQCC.WARNING if reason else 0,
        reason,
    )
    if name_length is not None and len(shown.encode()) > name_length:
        raise PropertyTooBigError(int(MQRC.PROPERTY_NAME_TOO_BIG), inquired)
    if (
        buffer_length is not None
        and not option_bits & _LENGTH_INQUIRED
        and len(data) > buffer_length
    ):
        raise PropertyTooBigError(int(MQRC.PROPERTY_VALUE_TOO_BIG), inquired)
    return inquired
