"""What a kind of object is: where its names live, how it is displayed, and its attributes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from store.catalog.attribute import Attribute, HotColumn
from store.catalog.types import Flag, Name, Stored, Type

# CLNTCONN definitions live apart from other channels, so that one name can be both (SVRCONN and CLNTCONN).
_OWN_NAMESPACE = {("CHANNEL", "CLNTCONN"): "clntconn"}

_ANY_NAME = Name(48)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of object.

    `key` are the words displayed first; `display_order` every displayed word, `key` included. `selector` is the
    attribute whose value is the subtype (CHLTYPE of a channel). `default_objects` gives, by subtype, the object whose
    attributes DEFINE starts from. `identity` names attributes that, with the name, make one record of many.
    """

    keyword: str
    synonyms: tuple[str, ...]
    namespace: str
    name_type: Type
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
    # The attributes that puts and gets read in columns of their own.
    columned: tuple[tuple[str, HotColumn], ...] = ()

    @property
    def name_length(self) -> int:
        """Most bytes of a name."""
        return int(getattr(self.name_type, "length", 0))

    @property
    def default_object(self) -> str:
        """The default object of a kind without subtypes, else blank."""
        return self.default_objects.get("", "")

    def default_object_of(self, subtype: str) -> str:
        """The name of the default object for a subtype, blank when there is none."""
        return self.default_objects.get(subtype) or self.default_object

    def namespace_of(self, subtype: str = "") -> str:
        """Where names of this kind must be unique: queues of all types share one, so do channels but CLNTCONN."""
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
    """A kind from its rows; `order` lists the displayed words. Displayed rows that it leaves out follow, by keyword."""
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
        columned=tuple((row.keyword, row.column) for row in rows if row.column is not None),
        name_type=name_type,
        **facts,
    )


def defaults(kind: Kind, subtype: str = "", name: str = "") -> dict[str, Stored]:
    """The attributes that the shipped default object of a kind has, as stored values.

    Rows without a default (derived, required) and parameters of the command are left out. `subtype` selects the rows
    of one CHLTYPE, AUTHTYPE or TRPTYPE and is put in itself; `name` is the object's name where a default is made of it.
    """
    values: dict[str, Stored] = {kind.selector: subtype} if kind.selector and subtype else {}
    for row in kind.attributes.values():
        if row.option or row.constant is not None or not row.takes(subtype) or row.keyword in values:
            continue
        value = row.default_value(subtype, name)
        if value is not None:
            values[row.keyword] = value
    return values


def constants(kind: Kind) -> dict[str, Stored]:
    """The attributes that have the same value in every object of a kind (MAXPRTY, PLATFORM)."""
    return {row.keyword: row.constant for row in kind.attributes.values() if row.constant is not None}


def columns(kind: Kind, attributes: Mapping[str, Stored]) -> dict[str, int | str | None]:
    """The hot columns that stored attribute values go to; attributes without a column are left out."""
    return {column.name: column.value(attributes[word]) for word, column in kind.columned if word in attributes}


def _words(rows: tuple[Attribute, ...]) -> dict[str, tuple[Attribute, bool]]:
    words: dict[str, tuple[Attribute, bool]] = {}
    for row in rows:
        for word in (row.keyword, *row.synonyms, *row.display_synonyms):
            words[word] = (row, True)
        if isinstance(row.type, Flag) and row.type.off:
            words[row.type.off] = (row, False)
    return words
