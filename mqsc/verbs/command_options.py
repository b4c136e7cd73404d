"""The parameters of commands that are not attributes of objects: rows of command_options.csv.

A row has the verbs that take it, the keyword, the type and the default of its value ('' is a blank,
nothing is none), and the nouns: none for all, `but` and those that do not take it, or `of kind` for
those whose kind of object has it.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from mqsc.language.command_table import objects_of
from mqsc.language.request import Naming, Option, Verb
from mqsc.language.where import GenericName, WordList
from mqsc.store.catalog import KINDS, Attribute, Stored
from mqsc.store.catalog.types import Flag, Hex, Items, Name, Number, Text, Type, Word
from mqsc.store.table import table

_ROWS = table(
    __file__,
    "command_options.csv",
    ("verbs", "keyword", "type", "default", "required", "nouns", "help"),
    {"required": ("", "required")},
)
# The types, from the words after their names.
_TYPES: Mapping[str, Callable[..., Type]] = {
    "Flag": Flag,
    "GenericName": lambda *of: GenericName(_type(*of)),
    "Hex": lambda digits: Hex(int(digits)),
    "Items": lambda most, *of: Items(_type(*of), int(most)),  # type: ignore[arg-type]
    "Name": lambda length: Name(int(length)),
    "Number": lambda low, high: Number(int(low), int(high)),
    "Text": lambda length: Text(int(length)),
    "Word": lambda *words: Word(words),
    "WordList": lambda *wanted: WordList(" ".join(wanted)),
}


def verb(keyword: str, naming: Naming, perform: Callable[..., Any], **more: Any) -> Verb:
    """A verb with the objects and the parameters that it takes."""
    objects = objects_of(keyword)
    options = tuple(
        _option(row, frozenset(objects)) for row in _ROWS if keyword in row["verbs"].split()
    )
    return Verb(keyword, objects, naming, perform, options, **more)


def option(
    keyword: str,
    type: Type,
    help: str,
    default: Stored | None = None,
    *,
    required: bool = False,
) -> Option:
    """A parameter of a command, for all objects."""
    return Option(
        Attribute(keyword, type, default, frozenset(), help, option=True, required=required),
    )


def _option(row: Mapping[str, str], every: frozenset[str]) -> Option:
    type, given = _type(*row["type"].split()), row["default"]
    default: Stored | None = int(given) if given and isinstance(type, Number) else given or None
    default = "" if default == "''" else default
    found = option(row["keyword"], type, row["help"], default, required=bool(row["required"]))
    first, *others = [*row["nouns"].split(), ""]
    if first == "of":
        return replace(found, of_kind=True)
    return replace(
        found,
        nouns=every.difference(others) if first == "but" else frozenset(row["nouns"].split()),
    )


def _type(name: str, *words: str) -> Type:
    return _TYPES[name](*words) if name in _TYPES else KINDS[name].attributes[words[0]].type
