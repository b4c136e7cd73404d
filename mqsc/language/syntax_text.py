"""The syntax of a command in the notation of runmqsc."""

import re
import textwrap
from collections.abc import Iterator, Sequence

from mqsc.language.request import CommandSyntax, Naming
from mqsc.store.catalog import Attribute
from mqsc.store.catalog.types import Flag, Items, Number, Type, Word

INDENT = "   "
COLUMN = 40
_BETWEEN_COLUMNS = re.compile(r"  +(?=\[)")
_NAMES = {
    Naming.EXACT: "( {}_name )",
    Naming.GENERIC: "( generic_{}_name )",
    Naming.OPTIONAL: " [ ( {}_name ) ]",
    Naming.SEVERAL: "( {}_name, ... )",
    Naming.TOPIC: "( topic_string )",
}


def syntax_lines(syntax: CommandSyntax, subtype: str = "") -> list[str]:
    """The command and its parameters, two to a line if they fit, with optional ones in brackets.

    With a subtype (CHLTYPE of a channel) only the parameters that it takes.
    """
    attributes = {
        id(each): each for each, _ in syntax.words.values() if each.takes(subtype)
    }.values()
    selector = syntax.kinds[0].selector
    defines = syntax.verb.keyword != "ALTER"
    needed = [
        each
        for each in attributes
        if each.is_required(subtype) and (each.option or each.leading or defines)
    ]
    first = [
        f"{each.keyword}( {subtype} )" if subtype and each.keyword == selector else notation(each)
        for each in needed
    ]
    rest = [
        f"[ {notation(each)} ]"
        for each in sorted(attributes, key=lambda each: each.keyword)
        if each not in needed
    ]
    listed = [f"[ {word} ]" for word in sorted(syntax.listed)]
    command = f"  {syntax.title}{name_notation(syntax)}"
    return [command, *(f"{INDENT}{each}" for each in first), *_two_columns([*rest, *listed])]


def fitted(lines: Sequence[str], width: int) -> Iterator[str]:
    """The lines of a syntax; its two columns below each other if they are too wide."""
    if max(map(len, lines)) <= width:
        yield from lines
        return
    for line in lines:
        for part in _BETWEEN_COLUMNS.split(line.strip()):
            yield from textwrap.wrap(part, width, initial_indent="  ", subsequent_indent="      ")


def name_notation(syntax: CommandSyntax) -> str:
    """What follows the object in parentheses."""
    naming = syntax.verb.naming_of(syntax.noun)
    if naming is Naming.NONE:
        return ""
    namespace = syntax.kinds[0].namespace
    return _NAMES[naming].format("q" if namespace == "queue" else namespace)


def notation(attribute: Attribute) -> str:
    """One parameter: KEYWORD( a | b ), KEYWORD( integer ), FLAG | NOFLAG."""
    if isinstance(attribute.type, Flag):
        return " | ".join(attribute.type.words)
    return f"{attribute.keyword}( {_values(attribute.type)} )"


def _values(kind: Type) -> str:
    if isinstance(kind, Items):
        return _values(kind.of) if isinstance(kind.of, Word) else f"{_values(kind.of)}, ..."
    if isinstance(kind, Number):
        return " | ".join((*kind.named, "integer"))
    if isinstance(kind, Word):
        return " | ".join(kind.values)
    return "string"


def _two_columns(texts: list[str]) -> Iterator[str]:
    pending = ""
    for text in texts:
        if pending and len(text) < COLUMN:
            yield f"{INDENT}{pending:<{COLUMN}}{text}"
            pending = ""
            continue
        if pending:
            yield f"{INDENT}{pending}"
        pending = text if len(text) < COLUMN else ""
        if not pending:
            yield f"{INDENT}{text}"
    if pending:
        yield f"{INDENT}{pending}"
