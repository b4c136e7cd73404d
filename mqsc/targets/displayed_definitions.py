"""Definitions as DISPLAY shows them over REST, as MQSC that brings them about (targets §3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mqsc.console.terminal import printable
from mqsc.grammar.printing import UNWRITABLE, print_tree
from mqsc.grammar.tree import Command, Parameter, Value
from mqsc.language.secrets import HIDDEN
from mqsc.scripts.export_output import LONGEST, parameter
from mqsc.store.catalog import Attribute, Kind, Stored
from mqsc.store.catalog.types import Flag, Items
from mqsc.store.rules.authority_profiles import SELF
from mqsc.targets.target import TargetError
from mqsc.verbs.syntax import syntax_of

_VERBS = {"QMGR": "ALTER", "CHLAUTH": "SET", "AUTHREC": "SET"}
_KEYWORD = re.compile(r"[A-Z][A-Z0-9_]*")
_LONGEST = 60
# A value of an unknown attribute that is a word or a number.
_BARE = re.compile(r"[A-Z0-9_]+")


def is_defined_there(values: Mapping[str, Any]) -> bool:
    """Whether a command has defined the object, and not a program that opened or subscribed."""
    is_temporary = values.get("DEFTYPE") == "TEMPDYN" and values.get("TYPE") != "QMODEL"
    return not is_temporary and values.get("SUBTYPE", "ADMIN") == "ADMIN"


def definition_line(kind: Kind, values: Mapping[str, Any]) -> Iterator[str]:
    """The command that brings about what DISPLAY shows of an object or a record, in one line.

    An attribute that the catalog does not know stays as it is. One that MQSC cannot express is left
    out, with a comment.
    """
    verb = _verb(kind, values)
    is_authority = kind.keyword == "AUTHREC"
    parts = [*(_authority(values) if is_authority else _parts(verb, kind, values))]
    kept = [part for part in parts if not _is_unwritable(part)]
    for part in parts:
        if _is_unwritable(part):
            yield f"* {part.keyword} has a value that MQSC cannot express"
    ending = (_of("ACTION", "REPLACE"),) if kind.keyword == "CHLAUTH" else ()
    yield print_tree(Command((_flag(verb), *kept, *ending), 0), LONGEST)


def _verb(kind: Kind, values: Mapping[str, Any]) -> str:
    """ALTER for the root of the topic tree: no DEFINE has a topic string of no characters."""
    if kind.keyword == "TOPIC" and not values.get("TOPICSTR"):
        return "ALTER"
    return _VERBS.get(kind.keyword, "DEFINE")


def _is_unwritable(part: Parameter) -> bool:
    return any(UNWRITABLE.search(value.text) for value in part.values or ())


def _parts(verb: str, kind: Kind, values: Mapping[str, Any]) -> Iterator[Parameter]:
    """The noun with the name, then the attributes, first those that must follow it."""
    name_word = "QUEUE" if kind.namespace == "queue" else kind.keyword
    noun = kind.keyword
    yield _quoted(noun, values[name_word]) if name_word in values else _flag(noun)
    rows = kind.attributes
    in_order = sorted(values, key=lambda word: word not in rows or not rows[word].leading)
    for word in in_order:
        if word != name_word and _KEYWORD.fullmatch(word):
            yield from _attribute(verb, kind, word, values[word])


def _attribute(verb: str, kind: Kind, word: str, value: Any) -> Iterator[Parameter]:
    """The parameter for an attribute, if it is one that a definition has."""
    syntax = syntax_of(verb, kind.keyword)
    attribute = kind.attributes.get(word)
    if attribute is not None and word in syntax.words:
        if not attribute.secret:
            yield parameter(attribute, _stored(attribute, value))
        elif value:
            yield _quoted(word, HIDDEN)
    elif attribute is None and word not in syntax_of("DISPLAY", kind.keyword).words:
        items = value if isinstance(value, list) else [value]
        yield Parameter(word, "", tuple(map(_value, map(str, items))), 0, 0)


def _value(text: str) -> Value:
    return Value(text, "", not _BARE.fullmatch(text), 0, 0)


def _stored(attribute: Attribute, value: Any) -> Stored:
    """The value as the catalog has it: a flag may be YES or NO, and a list of one may be a text.

    TargetError for another value of a flag.
    """
    if isinstance(attribute.type, Flag):
        on, off = attribute.type.on, attribute.type.off
        words = {"YES": on, "NO": off, on: on, off: off}
        if str(value) not in words:
            shown = printable(str(value))[:_LONGEST]
            raise TargetError(f"mqweb shows {attribute.keyword} as {shown}, which is not known")
        return words[str(value)]
    if isinstance(attribute.type, Items):
        items = value if isinstance(value, list) else [value]
        return [str(item) for item in items if str(item).strip()]
    return str(value)


def _authority(values: Mapping[str, Any]) -> Iterator[Parameter]:
    """A record of authorities, which SET names otherwise than DISPLAY."""
    yield _flag("AUTHREC")
    object_type, profile = str(values.get("OBJTYPE")), str(values.get("PROFILE", ""))
    if not (object_type == "QMGR" and profile.upper() == SELF.upper()):
        yield _quoted("PROFILE", profile)
    yield _of("OBJTYPE", object_type)
    is_group = values.get("ENTTYPE") == "GROUP"
    yield _quoted("GROUP" if is_group else "PRINCIPAL", values.get("ENTITY"))
    rights = values.get("AUTHLIST") or ["NONE"]
    yield _of("AUTHADD", *([rights] if isinstance(rights, str) else map(str, rights)))


def _flag(word: str) -> Parameter:
    return Parameter(word, "", None, 0, 0)


def _quoted(word: str, text: Any) -> Parameter:
    return Parameter(word, "", (Value(str(text), "", True, 0, 0),), 0, 0)


def _of(word: str, *texts: str) -> Parameter:
    return Parameter(word, "", tuple(Value(text, "", False, 0, 0) for text in texts), 0, 0)
