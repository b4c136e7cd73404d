"""The syntax of a command in runmqsc's notation, read off the catalog."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.request import Form, Naming
from store.catalog import Attribute
from store.catalog.types import Flag, Items, Number, Type, Word

INDENT = "   "
COLUMN = 40
_NAMES = {
    Naming.EXACT: "( name )",
    Naming.GENERIC: "( generic_name )",
    Naming.OPTIONAL: " [ ( name ) ]",
    Naming.NONE: "",
}


def syntax_lines(form: Form) -> list[str]:
    """The command and its parameters, two to a line where they fit; optional ones in brackets."""
    rows = {id(row): row for row, _ in form.words.values()}.values()
    first = [notation(row) for row in rows if row.required]
    rest = [f"[ {notation(row)} ]" for row in sorted(rows, key=lambda row: row.keyword) if not row.required]
    listed = [f"[ {word} ]" for word in sorted(form.listed)]
    head = f"  {form.title}{_NAMES[form.verb.naming_of(form.noun)]}"
    return [head, *(f"{INDENT}{each}" for each in first), *_two_columns([*rest, *listed])]


def notation(row: Attribute) -> str:
    """One parameter: KEYWORD( a | b ), KEYWORD( integer ), FLAG | NOFLAG."""
    if isinstance(row.type, Flag):
        return " | ".join(row.type.words)
    return f"{row.keyword}( {_values(row.type)} )"


def _values(kind: Type) -> str:
    if isinstance(kind, Items):
        return f"{_values(kind.of)}, ..."
    if isinstance(kind, Number):
        return " | ".join((*kind.named, "integer"))
    if isinstance(kind, Word):
        return " | ".join(kind.values)
    return "string"


def _two_columns(texts: list[str]) -> Iterator[str]:
    waiting = ""
    for text in texts:
        if waiting and len(text) < COLUMN:
            yield f"{INDENT}{waiting:<{COLUMN}}{text}"
            waiting = ""
            continue
        if waiting:
            yield f"{INDENT}{waiting}"
        waiting = text if len(text) < COLUMN else ""
        if not waiting:
            yield f"{INDENT}{text}"
    if waiting:
        yield f"{INDENT}{waiting}"
