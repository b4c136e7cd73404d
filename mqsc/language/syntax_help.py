"""The syntax of a command in the notation of runmqsc."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from mqsc.language.request import CommandSyntax, Naming
from store.catalog import Attribute
from store.catalog.types import Flag, Items, Number, Type, Word

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
    rows = {id(row): row for row, _ in syntax.words.values() if row.takes(subtype)}.values()
    selector = syntax.kinds[0].selector
    defines = syntax.verb.keyword != "ALTER"
    needed = [row for row in rows if row.is_required(subtype) and (row.option or row.leading or defines)]
    first = [f"{row.keyword}( {subtype} )" if subtype and row.keyword == selector else notation(row) for row in needed]
    rest = [f"[ {notation(row)} ]" for row in sorted(rows, key=lambda row: row.keyword) if row not in needed]
    listed = [f"[ {word} ]" for word in sorted(syntax.listed)]
    return [
        f"  {syntax.title}{name_notation(syntax)}",
        *(f"{INDENT}{each}" for each in first),
        *_two_columns([*rest, *listed]),
    ]


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
    namespace = syntax.kinds[0].namespace
    return "" if naming is Naming.NONE else _NAMES[naming].format("q" if namespace == "queue" else namespace)


def notation(row: Attribute) -> str:
    """One parameter: KEYWORD( a | b ), KEYWORD( integer ), FLAG | NOFLAG."""
    if isinstance(row.type, Flag):
        return " | ".join(row.type.words)
    return f"{row.keyword}( {_values(row.type)} )"


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
