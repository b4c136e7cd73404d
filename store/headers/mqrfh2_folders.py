"""Folders of an MQRFH2: `<usr><Color>red</Color></usr>` as a name with elements, and back.

The text is the small part of XML that MQ uses: elements, attributes and five escapes; no comments,
no declarations. A pattern reads it, without recursion, so that hostile data can neither take long
nor nest too deeply.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

_ESCAPES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'"}
_ESCAPED = {character: escape for escape, character in _ESCAPES.items()}
_BLANKS = " \t\r\n\0"
_ATTRIBUTE = re.compile(r"""\s+([^\s=<>/'"]+)\s*=\s*(?:'([^'<]*)'|"([^"<]*)")""")
_TAG = re.compile(
    r"""<(/?)([^\s<>/='"&]+)((?:\s+[^\s=<>/'"]+\s*=\s*(?:'[^'<]*'|"[^"<]*"))*)\s*(/?)>""",
)
_ENTITY = re.compile(r"&[^;&]*;?")
_DEEPEST = 100
_NO_ATTRIBUTES: Mapping[str, str] = MappingProxyType({})


class FolderError(ValueError):
    """A folder that is not well formed; the message says where."""


class Element(NamedTuple):
    """An element that holds a value: the names that lead to it, its attributes, and its text."""

    path: tuple[str, ...]
    attributes: Mapping[str, str]
    text: str


class Folder(NamedTuple):
    """A folder: its name, its attributes, and the elements with values, those of groups included.

    `is_escaped`: an escape occurs in it.
    """

    name: str
    attributes: Mapping[str, str]
    elements: tuple[Element, ...]
    is_escaped: bool


def head_of(text: str) -> tuple[str, Mapping[str, str]] | None:
    """The name and the attributes of the folder, without reading the rest; None for text that
    begins with no tag.
    """
    tag = _TAG.match(text, _after_blanks(text, 0))
    return (tag[2], _attributes(tag[3])) if tag and not tag[1] else None


def parse(text: str) -> Folder:
    """The folder; FolderError if it is not well formed, or followed by anything but padding."""
    at = _after_blanks(text, 0)
    elements: list[Element] = []
    opened: list[tuple[str, Mapping[str, str]]] = []
    # Whether the element that was opened last has had no children yet, and so holds a value.
    has_value = False
    while True:
        tag = _TAG.search(text, at) if opened else _TAG.match(text, at)
        if tag is None:
            raise FolderError(f"a tag is missing at character {at + 1}")
        between = text[at : tag.start()]
        if "<" in between:
            raise FolderError(f"not a tag at character {at + between.index('<') + 1}")
        ends, name, attributes, is_empty = tag.groups()
        at = tag.end()
        if ends:
            if attributes or is_empty or not opened or opened[-1][0] != name:
                raise FolderError(
                    f"</{name}> at character {tag.start() + 1} ends no element that is open",
                )
            if has_value and len(opened) > 1:
                path = tuple(opened_name for opened_name, _ in opened[1:])
                elements.append(Element(path, opened[-1][1], unescaped(between)))
            elif has_value and between.strip(_BLANKS):
                raise FolderError(f"text outside an element before character {tag.start() + 1}")
            opened_last = opened.pop()
            has_value = False
        elif between.strip(_BLANKS):
            raise FolderError(f"text between elements before character {tag.start() + 1}")
        elif is_empty:
            opened_last = name, _attributes(attributes)
            if opened:
                elements.append(
                    Element(
                        (*(opened_name for opened_name, _ in opened[1:]), name), opened_last[1], ""
                    ),
                )
            has_value = False
        elif len(opened) == _DEEPEST:
            raise FolderError(
                f"more than {_DEEPEST} elements in each other at character {tag.start() + 1}",
            )
        else:
            opened.append((name, _attributes(attributes)))
            has_value = True
        if not opened:
            if text[at:].strip(_BLANKS):
                raise FolderError(f"text behind the folder at character {at + 1}")
            return Folder(opened_last[0], opened_last[1], tuple(elements), "&" in text)


def unescaped(text: str) -> str:
    """The text with the five escapes replaced; FolderError for another one."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def escaped(text: str) -> str:
    return "".join(_ESCAPED.get(each, each) for each in text)


def element(name: str, text: str, attributes: Sequence[tuple[str, str]] = ()) -> str:
    """An element with a value, escaped."""
    attribute_text = "".join(f" {key}='{escaped(value)}'" for key, value in attributes)
    return f"<{name}{attribute_text}>{escaped(text)}</{name}>"


def _character(match: re.Match[str]) -> str:
    character = _ESCAPES.get(match[0])
    if character is None:
        raise FolderError(f"unknown escape {match[0]}")
    return character


def _attributes(text: str) -> Mapping[str, str]:
    if not text:
        return _NO_ATTRIBUTES
    return {name: unescaped(one or other) for name, one, other in _ATTRIBUTE.findall(text)}


def _after_blanks(text: str, at: int) -> int:
    return at + len(text[at:]) - len(text[at:].lstrip(_BLANKS))
