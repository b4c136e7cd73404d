"""The properties of one message, in order, and the folders of an MQRFH2 that hold them
(properties §3, §4).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from msgspec import Struct, structs

from mqsc.store.constants import MQCOPY, MQPD, MQRC
from mqsc.store.headers.mqrfh2_folders import Element, Folder, element, escaped
from mqsc.store.rules.properties import property_types
from mqsc.store.rules.properties.property_names import (
    FOLDERS,
    TYPES_BY_NAME,
    USR,
    PropertyName,
    is_reserved,
    shown,
)

OPTIONAL = int(MQPD.SUPPORT_OPTIONAL)
NO_CONTEXT = int(MQPD.NO_CONTEXT)
USER_CONTEXT = int(MQPD.USER_CONTEXT)
DEFAULT_COPY, TYPE_NOT_SUPPORTED = int(MQCOPY.DEFAULT), int(MQRC.PROP_TYPE_NOT_SUPPORTED)
_COPY_WORDS = {
    word: int(MQCOPY[word.upper()]) for word in "none all forward publish reply report".split()
}
# An element of this folder that is written as a group, with an escape or as null is refused (2527).
RESTRICTED = "mq"
_KNOWN_FOLDERS = frozenset(FOLDERS)
_PROPERTIES = ("content", "properties")
_ORDER = {name: place for place, name in enumerate(FOLDERS)}


@dataclass(frozen=True, slots=True)
class PropertyDescriptor:
    """The MQPD: whether support is required, the message context, and the kinds of messages it is
    copied into.

    >>> handle = mqsc.MessageHandle(None)
    >>> handle.set("color", "red", descriptor=mqsc.PropertyDescriptor(copy_options=mqsc.MQCOPY.REPLY))
    """

    support: int = OPTIONAL
    context: int = NO_CONTEXT
    copy_options: int = DEFAULT_COPY


DEFAULT_DESCRIPTOR = PropertyDescriptor()


class Property(Struct, frozen=True):
    """A property with its value; `unknown_type` is the `dt` of an element whose type is unknown."""

    name: PropertyName
    type: int
    value: property_types.Value
    descriptor: PropertyDescriptor = DEFAULT_DESCRIPTOR
    unknown_type: str = ""


# By name, folder by folder, in the order in which they were set or read.
Properties = dict[PropertyName, Property]


def is_property_folder(name: str, attributes: Mapping[str, str]) -> bool:
    """Whether the elements of a folder are properties; all other folders are data."""
    key, word = _PROPERTIES
    return name in _KNOWN_FOLDERS or attributes.get(key) == word


def of_folder(folder: Folder) -> list[Property]:
    """The properties in a folder; elements that cannot be properties are skipped."""
    properties = []
    for each in folder.elements:
        name = PropertyName(folder.name, ".".join(each.path))
        if _may_be_property(folder.name, each.path):
            properties.append(_of_element(name, each))
    return properties


def _may_be_property(folder: str, path: Sequence[str]) -> bool:
    if any("." in part for part in path):
        return False
    if folder != USR:
        return True
    return len(path) == 1 and not path[0].startswith("JMS") and not is_reserved(path[0])


def _of_element(name: PropertyName, xml_element: Element) -> Property:
    word = xml_element.attributes.get("dt", "")
    descriptor = _descriptor(xml_element.attributes)
    if xml_element.attributes.get("xsi:nil") == "true":
        return Property(name, property_types.NULL, None, descriptor)
    type = (
        property_types.TYPES_BY_WORD.get(word)
        if word
        else TYPES_BY_NAME.get(name, property_types.STRING)
    )
    if type is None:
        return Property(
            name, property_types.STRING, xml_element.text, descriptor, unknown_type=word[:8]
        )
    try:
        return Property(name, type, property_types.from_text(type, xml_element.text), descriptor)
    except property_types.PropertyFault:
        return Property(name, property_types.STRING, xml_element.text, descriptor)


def _descriptor(attributes: Mapping[str, str]) -> PropertyDescriptor:
    if not ("copy" in attributes or "context" in attributes):
        return DEFAULT_DESCRIPTOR
    copied = DEFAULT_COPY
    if "copy" in attributes:
        copied = sum({_COPY_WORDS.get(word.strip(), 0) for word in attributes["copy"].split(",")})
    context = USER_CONTEXT if attributes.get("context") == "user" else NO_CONTEXT
    return PropertyDescriptor(OPTIONAL, context, copied)


def add_missing(properties: Properties, more: Iterable[Property]) -> None:
    """Add the properties that are missing: of two, the one nearer the start of the message
    counts.
    """
    for each in more:
        properties.setdefault(each.name, each)


def to_folders(properties: Iterable[Property]) -> list[str]:
    """The folders that hold the properties, in MQ's order, then others as they come."""
    by_folder: dict[str, list[Property]] = {}
    for each in properties:
        by_folder.setdefault(each.name.folder, []).append(each)
    names = sorted(by_folder, key=lambda name: _ORDER.get(name, len(_ORDER)))
    return [_folder(name, by_folder[name]) for name in names]


def _folder(name: str, properties: Sequence[Property]) -> str:
    key, word = _PROPERTIES
    given = "" if name in _KNOWN_FOLDERS else f" {key}='{word}'"
    return f"<{name}{given}>{''.join(map(_grouped, properties))}</{name}>"


def _grouped(message_property: Property) -> str:
    *groups, last = message_property.name.path.split(".")
    opening = "".join(f"<{group}>" for group in groups)
    closing = "".join(f"</{group}>" for group in reversed(groups))
    text = property_types.to_text(message_property.type, message_property.value)
    return f"{opening}{element(last, text, _attributes(message_property))}{closing}"


def _attributes(message_property: Property) -> list[tuple[str, str]]:
    attributes = []
    if message_property.type == property_types.NULL:
        attributes.append(("xsi:nil", "true"))
    elif message_property.unknown_type:
        attributes.append(("dt", message_property.unknown_type))
    elif message_property.type != TYPES_BY_NAME.get(message_property.name, property_types.STRING):
        attributes.append(("dt", property_types.TYPES[message_property.type].words[0]))
    copied = message_property.descriptor.copy_options
    if copied != DEFAULT_COPY:
        words = [word for word, bit in _COPY_WORDS.items() if bit and copied & bit]
        attributes.append(("copy", ",".join(words) or "none"))
    if message_property.descriptor.context == USER_CONTEXT:
        attributes.append(("context", "user"))
    return attributes


def length_of(properties: Iterable[Property]) -> int:
    """The lengths of names, as programs set them, and of values together, which MAXPROPL limits."""
    return sum(
        len(shown(each.name).encode()) + len(property_types.to_bytes(each.type, each.value) or b"")
        for each in properties
    )


def is_copied(message_property: Property, option: int) -> bool:
    """Whether the property is copied into a message of that kind (MQCOPY_FORWARD, _REPLY,
    _REPORT).
    """
    return bool(message_property.descriptor.copy_options & (option | int(MQCOPY.ALL)))


def merged(original: Iterable[Property], new: Iterable[Property]) -> Properties:
    """The properties of a message made from two: new ones over original ones; a new NULL
    removes.
    """
    properties = {each.name: each for each in original}
    for each in new:
        if each.type == property_types.NULL and each.name in properties:
            del properties[each.name]
        else:
            properties[each.name] = each
    return properties


def with_value(
    message_property: Property,
    type: int,
    value: property_types.Value,
    descriptor: PropertyDescriptor,
) -> Property:
    return structs.replace(
        message_property, type=type, value=value, descriptor=descriptor, unknown_type=""
    )


def is_restricted(folder: Folder) -> bool:
    """Whether the folder is `mq` and contains what it must not contain: groups, escapes or null
    (2527).
    """
    if folder.name != RESTRICTED:
        return False
    return folder.is_escaped or any(
        len(each.path) > 1
        or each.attributes.get("xsi:nil") == "true"
        or escaped(each.text) != each.text
        for each in folder.elements
    )
