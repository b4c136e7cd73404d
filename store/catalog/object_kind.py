"""A kind of object: its attributes, the namespace of its names, and how it is displayed."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from functools import cache
from typing import Any

from msgspec import Struct, field

from mqsc.store.catalog.attribute import DISPLAYED, Attribute, HotColumn
from mqsc.store.catalog.types import Flag, Stored, Type

# Client-connection channels have a namespace of their own: SVRCONN and CLNTCONN may have the same
# name.
_OWN_NAMESPACE = {("CHANNEL", "CLNTCONN"): "clntconn"}


NO_DEFAULT_OBJECTS: Mapping[str, str] = {}


# Compared, and found in caches, by identity: there is one for each keyword.
class Kind(Struct, frozen=True, eq=False):
    """A kind of object.

    `key` lists the words displayed first, `display_order` every displayed word, including `key`.
    `name_length` is the maximum length of a name in bytes. `selector` is the attribute whose value
    is the subtype (CHLTYPE of a channel). `default_objects` maps a subtype to the object whose
    attributes DEFINE starts from. `identity` lists the attributes that identify a record together
    with its name. `words` maps every keyword, synonym and clearing keyword (NOTRIGGER) to its
    attribute, and to False for the latter.
    """

    keyword: str
    name_type: Type
    name_length: int
    attributes: Mapping[str, Attribute]
    display_order: tuple[str, ...]
    words: Mapping[str, tuple[Attribute, bool]]
    hot_columns: tuple[tuple[str, HotColumn], ...]
    namespace: str = ""
    synonyms: tuple[str, ...] = ()
    heading_id: str = ""
    heading: str = ""
    key: tuple[str, ...] = ()
    default_objects: Mapping[str, str] = field(default_factory=dict)
    selector: str = ""
    identity: tuple[str, ...] = ()
    platform: str = "all"

    @property
    def default_object(self) -> str:
        """The default object of a kind without subtypes, otherwise blank."""
        return self.default_objects.get("", "")

    def default_object_of(self, subtype: str) -> str:
        """The name of the default object for a subtype, or blank."""
        return self.default_objects.get(subtype) or self.default_object

    def namespace_of(self, subtype: str = "") -> str:
        """Where names must be unique: all types of queue share a namespace, so do all channels
        but CLNTCONN.
        """
        return _OWN_NAMESPACE.get((self.keyword, subtype), self.namespace)

    def shown(self, subtype: str = "") -> tuple[str, ...]:
        """The words that DISPLAY ALL shows for objects of a subtype, in order."""
        rows = self.attributes
        return tuple(
            word
            for word in self.display_order
            if word not in rows or (rows[word].takes(subtype) and rows[word].in_all(subtype))
        )


def displayed(keyword: str, type: Type, help: str, *, hidden: bool | None = None) -> Attribute:
    """An attribute that is computed when DISPLAY shows it."""
    return Attribute(keyword, type, help, verbs=DISPLAYED, hidden=hidden)


def make_kind(
    keyword: str,
    name_type: Type,
    attributes: Iterable[Attribute] = (),
    *,
    key: tuple[str, ...] = (),
    heading_id: str = "",
    heading: str = "",
    namespace: str = "",
    synonyms: tuple[str, ...] = (),
    selector: str = "",
    identity: tuple[str, ...] = (),
    platform: str = "all",
    default_objects: Mapping[str, str] = NO_DEFAULT_OBJECTS,
) -> Kind:
    """A kind with these attributes, which are displayed in their order after the words of its key.

    Without a `namespace`, names of the kind have one of their own.
    """
    by_keyword = {attribute.keyword: attribute for attribute in attributes}
    shown = (
        attribute.keyword
        for attribute in by_keyword.values()
        if "DISPLAY" in attribute.verbs and not attribute.option
    )
    hot_columns = (
        (attribute.keyword, attribute.column)
        for attribute in by_keyword.values()
        if attribute.column is not None
    )
    return Kind(
        keyword,
        name_type,
        int(getattr(name_type, "length", 0)),
        by_keyword,
        tuple(dict.fromkeys((*key, *shown))),
        _words(by_keyword.values()),
        tuple(hot_columns),
        namespace=namespace or keyword.lower(),
        synonyms=synonyms,
        heading_id=heading_id,
        heading=heading,
        key=key,
        default_objects=default_objects,
        selector=selector,
        identity=identity,
        platform=platform,
    )


def defaults(kind: Kind, subtype: str = "", name: str = "") -> dict[str, Stored]:
    """The attributes of the shipped default object of a kind, as stored values.

    Rows without a default (derived, required) and options are left out. `subtype` selects the rows
    of one CHLTYPE, AUTHTYPE or TRPTYPE and is included itself; `name` is the name of the object,
    for defaults derived from it.
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
    """The defaults of a kind, and the rows whose default is made anew for each object: from its
    name, or a list.
    """
    values: dict[str, Stored] = {kind.selector: subtype} if kind.selector and subtype else {}
    computed = []
    for attribute in kind.attributes.values():
        if (
            attribute.option
            or attribute.constant is not None
            or not attribute.takes(subtype)
            or attribute.keyword in values
        ):
            continue
        value = attribute.default_value(subtype)
        if attribute.default_prefix or isinstance(value, list):
            computed.append(attribute)
        elif value is not None:
            values[attribute.keyword] = value
    return values, tuple(computed)


def constants(kind: Kind) -> dict[str, Stored]:
    """The attributes with the same value in every object of a kind (MAXPRTY, PLATFORM)."""
    return {
        row.keyword: row.constant for row in kind.attributes.values() if row.constant is not None
    }


def columns(
    kind: Kind,
    attributes: Mapping[str, Stored],
    words: Container[str] | None = None,
) -> dict[str, int | str | None]:
    """The hot columns for stored values of attributes, or only of `words`; attributes without a
    column are left out.
    """
    chosen = attributes if words is None else words
    values: dict[str, int | str | None] = {}
    for word, column in kind.hot_columns:
        if word in chosen:
            stored: Any = attributes[word]
            values[column.name] = (
                column.numbers.get(stored, stored) if column.read is None else column.read(stored)
            )
    return values


def _words(rows: Iterable[Attribute]) -> dict[str, tuple[Attribute, bool]]:
    words: dict[str, tuple[Attribute, bool]] = {}
    for row in rows:
        for word in (row.keyword, *row.synonyms, *row.display_synonyms):
            words[word] = (row, True)
        if isinstance(row.type, Flag) and row.type.off:
            words[row.type.off] = (row, False)
    return words
