"""A kind of object: its attributes, the namespace of its names, and how it is displayed."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import cache
from typing import Any

from msgspec import Struct, field

from store.catalog.attribute import Attribute, HotColumn
from store.catalog.types import Flag, Name, Stored, Type

# Client-connection channels have a namespace of their own: SVRCONN and CLNTCONN may have the same name.
_OWN_NAMESPACE = {("CHANNEL", "CLNTCONN"): "clntconn"}

_ANY_NAME = Name(48)


# Compared, and found in caches, by identity: there is one for each keyword.
class Kind(Struct, frozen=True, eq=False):
    """A kind of object.

    `key` lists the words displayed first, `display_order` every displayed word, including `key`. `selector` is the
    attribute whose value is the subtype (CHLTYPE of a channel). `default_objects` maps a subtype to the object whose
    attributes DEFINE starts from. `identity` lists the attributes that identify a record together with its name.
    `words` maps every keyword, synonym and clearing keyword (NOTRIGGER) to its attribute, and to False for the latter.
    """

    keyword: str
    synonyms: tuple[str, ...]
    namespace: str
    name_type: Type
    # The maximum length of a name in bytes.
    name_length: int
    heading_id: str
    heading: str
    key: tuple[str, ...]
    display_order: tuple[str, ...]
    attributes: Mapping[str, Attribute]
    default_objects: Mapping[str, str] = field(default_factory=dict)
    selector: str = ""
    identity: tuple[str, ...] = ()
    platform: str = "all"
    words: Mapping[str, tuple[Attribute, bool]] = field(default_factory=dict)
    hot_columns: tuple[tuple[str, HotColumn], ...] = ()

    @property
    def default_object(self) -> str:
        """The default object of a kind without subtypes, otherwise blank."""
        return self.default_objects.get("", "")

    def default_object_of(self, subtype: str) -> str:
        """The name of the default object for a subtype, or blank."""
        return self.default_objects.get(subtype) or self.default_object

    def namespace_of(self, subtype: str = "") -> str:
        """Where names must be unique: all types of queue share a namespace, so do all channels but CLNTCONN."""
        return _OWN_NAMESPACE.get((self.keyword, subtype), self.namespace)

    def shown(self, subtype: str = "") -> tuple[str, ...]:
        """The words that DISPLAY ALL shows for objects of a subtype, in order."""
        rows = self.attributes
        return tuple(
            word
            for word in self.display_order
            if word not in rows or (rows[word].takes(subtype) and rows[word].in_all(subtype))
        )


def make_kind(keyword: str, rows: tuple[Attribute, ...], order: str, name_type: Type = _ANY_NAME, **facts: Any) -> Kind:
    """A kind with these rows; `order` lists the displayed words. Displayed rows not listed there follow by keyword."""
    attributes = {row.keyword: row for row in rows}
    listed = order.split()
    rest = sorted(
        row.keyword for row in rows if "DISPLAY" in row.verbs and not row.option and row.keyword not in listed
    )
    display_order = (*listed, *rest)
    return Kind(
        keyword=keyword,
        attributes=attributes,
        display_order=display_order,
        words=_words(rows),
        hot_columns=tuple((row.keyword, row.column) for row in rows if row.column is not None),
        name_type=name_type,
        name_length=int(getattr(name_type, "length", 0)),
        **facts,
    )


def defaults(kind: Kind, subtype: str = "", name: str = "") -> dict[str, Stored]:
    """The attributes of the shipped default object of a kind, as stored values.

    Rows without a default (derived, required) and options are left out. `subtype` selects the rows of one CHLTYPE,
    AUTHTYPE or TRPTYPE and is included itself; `name` is the name of the object, for defaults derived from it.
    """
    shipped, made = _shipped(kind, subtype)
    values = shipped.copy()
    for row in made:
        value = row.default_value(subtype, name)
        if value is not None:
            values[row.keyword] = value
    return values


@cache
def _shipped(kind: Kind, subtype: str) -> tuple[dict[str, Stored], tuple[Attribute, ...]]:
    """The defaults of a kind, and the rows whose default is made anew for each object: from its name, or a list."""
    values: dict[str, Stored] = {kind.selector: subtype} if kind.selector and subtype else {}
    made = []
    for row in kind.attributes.values():
        if row.option or row.constant is not None or not row.takes(subtype) or row.keyword in values:
            continue
        value = row.default_value(subtype)
        if row.default_of is not None or isinstance(value, list):
            made.append(row)
        elif value is not None:
            values[row.keyword] = value
    return values, tuple(made)


def constants(kind: Kind) -> dict[str, Stored]:
    """The attributes with the same value in every object of a kind (MAXPRTY, PLATFORM)."""
    return {row.keyword: row.constant for row in kind.attributes.values() if row.constant is not None}


def columns(
    kind: Kind, attributes: Mapping[str, Stored], words: Container[str] | None = None
) -> dict[str, int | str | None]:
    """The hot columns for stored values of attributes, or only of `words`; attributes without a column are left out."""
    chosen = attributes if words is None else words
    values: dict[str, int | str | None] = {}
    for word, column in kind.hot_columns:
        if word in chosen:
            stored: Any = attributes[word]
            values[column.name] = column.numbers.get(stored, stored) if column.read is None else column.read(stored)
    return values


def _words(rows: tuple[Attribute, ...]) -> dict[str, tuple[Attribute, bool]]:
    words: dict[str, tuple[Attribute, bool]] = {}
    for row in rows:
        for word in (row.keyword, *row.synonyms, *row.display_synonyms):
            words[word] = (row, True)
        if isinstance(row.type, Flag) and row.type.off:
            words[row.type.off] = (row, False)
    return words
