"""The syntax of a command in runmqsc's notation, read off the catalog."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.language.request import Form, Naming
from store.catalog import Attribute
from store.catalog.types import Flag, Items, Number, Type, Word

INDENT = "   "
COLUMN = 40
_NAMES = {
    Naming.EXACT: "( {}_name )",
    Naming.GENERIC: "( generic_{}_name )",
    Naming.OPTIONAL: " [ ( {}_name ) ]",
    Naming.SEVERAL: "( {}_name, ... )",
    Naming.TOPIC: "( topic_string )",
}


def syntax_lines(form: Form, subtype: str = "") -> list[str]:
    """The command and its parameters, two to a line where they fit; optional ones in brackets.

    Of a subtype (CHLTYPE of a channel) only what it takes.
    """
    rows = {id(row): row for row, _ in form.words.values() if row.takes(subtype)}.values()
    selector = form.kinds[0].selector
    needed = [row for row in rows if row.is_required(subtype)]
    first = [f"{row.keyword}( {subtype} )" if subtype and row.keyword == selector else notation(row) for row in needed]
    rest = [f"[ {notation(row)} ]" for row in sorted(rows, key=lambda row: row.keyword) if row not in needed]
    listed = [f"[ {word} ]" for word in sorted(form.listed)]
    return [f"  {form.title}{_name(form)}", *(f"{INDENT}{each}" for each in first), *_two_columns([*rest, *listed])]


def _name(form: Form) -> str:
    naming = form.verb.naming_of(form.noun)
    namespace = form.kinds[0].namespace
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
