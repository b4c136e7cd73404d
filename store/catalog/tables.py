"""Reads the tables of the catalog.

kinds.csv and status_kinds.csv have a row for each kind of object and of status. `key` lists the
words displayed first; `default_objects` has the name of the default object, or one for each
subtype: SDR=SYSTEM.DEF.SENDER.

attributes.csv and status_attributes.csv have a row for each attribute, in the order of DISPLAY:

- `kinds`: the kinds that have it. A row without a kind describes an attribute that several kinds
  have in different places: their rows have nothing but the keyword.
- `type`: a class of `store.catalog.types` with its lengths, numbers and words. A word of a number
  has its number (NOLIMIT=-1), a synonym the word that is stored (Q=QUEUE). `Items 9 of Text 8` is a
  list; `filled`: it is never empty.
- `default`: the default as it is stored, with | in a list and '' for blank, and those of subtypes:
  SVRCONN=0.
- `verbs`: the verbs that accept it; empty for DEFINE, ALTER and DISPLAY.
- `only_for`: the subtypes that have it; empty for all.
- `column`: the hot column, with the number for each word; NULL for none.
- `more`: other fields of `Attribute`. With `constant`, the default is the value of every object.
- `display_filter`: the type of the value by which DISPLAY selects objects.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from mqsc.store.catalog import types
from mqsc.store.catalog.attribute import Attribute, Force, HotColumn, Kind, make_kind
from mqsc.store.catalog.types import Stored, Type
from mqsc.store.table import table

_Row = Mapping[str, str]


class KindFiles(NamedTuple):
    """A file of kinds and one of their attributes, each with its columns."""

    kinds: str
    kind_columns: tuple[str, ...]
    attributes: str
    attribute_columns: tuple[str, ...]


OBJECT_FILES = KindFiles(
    "kinds.csv",
    (
        "kind",
        "synonyms",
        "name",
        "namespace",
        "key",
        "selector",
        "identity",
        "platform",
        "default_objects",
        "heading_id",
        "heading",
    ),
    "attributes.csv",
    (
        "kinds",
        "keyword",
        "type",
        "default",
        "verbs",
        "only_for",
        "column",
        "more",
        "display_filter",
        "help",
    ),
)
STATUS_FILES = KindFiles(
    "status_kinds.csv",
    (
        "kind",
        "key",
        "heading_id",
        "heading",
        "name",
    ),
    "status_attributes.csv",
    (
        "kinds",
        "keyword",
        "type",
        "more",
        "help",
    ),
)
_LISTS = frozenset({"zos_for", "required_for", "synonyms", "display_synonyms"})


def read_kinds(files: KindFiles, shared: Iterable[Attribute] = ()) -> dict[str, Kind]:
    """The kinds of a file by keyword, with the attributes of another; `shared` are rows that it
    only names.
    """
    rows: dict[str, dict[str, Attribute]] = defaultdict(dict)
    rows[""] = {each.keyword: each for each in shared}
    for row in table(__file__, files.attributes, files.attribute_columns):
        attribute = _attribute(row) if row["type"] else rows[""][row["keyword"]]
        for kind in row["kinds"].split() or [""]:
            rows[kind][attribute.keyword] = attribute
    kinds = table(__file__, files.kinds, files.kind_columns)
    return {row["kind"]: _kind(row, rows[row["kind"]].values()) for row in kinds}


def _kind(row: _Row, attributes: Iterable[Attribute]) -> Kind:
    texts = ("heading_id", "heading", "namespace", "selector", "platform")
    facts: dict[str, Any] = {name: row[name] for name in texts if row.get(name)}
    facts |= {name: tuple(row.get(name, "").split()) for name in ("key", "identity", "synonyms")}
    facts["default_objects"] = dict(_pair(word) for word in row.get("default_objects", "").split())
    return make_kind(row["kind"], read_type(row["name"]), attributes, **facts)


def _pair(word: str) -> tuple[str, str]:
    before, _, after = word.rpartition("=")
    return before, after


def _attribute(row: _Row) -> Attribute:
    type, more = read_type(row["type"]), _more(row["more"])
    defaults = {
        subtype: stored_value(type, text)
        for subtype, text in map(_pair, row.get("default", "").split())
    }
    default = defaults.pop("", None)
    if more.pop("constant", False):
        default, more["constant"] = None, default
    if column := row.get("column"):
        more["column"] = _column(type, *column.split())
    if selected := row.get("display_filter"):
        more["display_filter"] = read_type(selected)
    return Attribute(
        row["keyword"],
        type,
        default,
        _verbs(row.get("verbs", "DISPLAY")),
        row["help"],
        only_for=tuple(row.get("only_for", "").split()),
        default_for=defaults,
        **more,
    )


@cache
def _verbs(text: str) -> frozenset[str]:
    return frozenset((text or "DEFINE ALTER DISPLAY").split())


def _more(text: str) -> dict[str, Any]:
    """The fields in the column `more`: a word alone is a field that is true."""
    fields: dict[str, Any] = {}
    for word in text.split():
        name, _, value = word.partition("=")
        fields[name] = tuple(value.split("|")) if name in _LISTS else value or True
    if "force" in fields:
        fields["force"] = Force[fields["force"]]
    if "hidden" in fields:
        fields["hidden"] = fields["hidden"] != "no"
    return fields


def _column(type: Type, name: str, *words: str) -> HotColumn:
    numbers = {
        word: None if number == "NULL" else int(number) for word, number in map(_pair, words)
    }
    return HotColumn(
        name,
        numbers,
        types.custom_cap_expiry if isinstance(type, types.Custom) else None,
    )


def stored_value(type: Type, text: str) -> Stored:
    """The stored value of an attribute of this type, from a cell of a table."""
    text = text.strip("'")
    if isinstance(type, types.Items):
        return text.split("|") if text else []
    return int(text) if isinstance(type, types.Number) and text.isdigit() else text


@cache
def read_type(text: str) -> Type:
    """The type that a cell describes; attributes with the same description share it."""
    outer, _, inner = text.partition(" of ")
    name, *words = outer.split()
    plain = [word for word in words if "=" not in word]
    return _TYPES[name](
        plain,
        dict(_pair(word) for word in words if "=" in word),
        read_type(inner) if inner else None,
    )


_Reader = Callable[[list[str], Mapping[str, str], Any], Type]


def _number(limits: list[str], named: Mapping[str, str], _: None) -> Type:
    numbers = {word: int(text) for word, text in named.items() if text.lstrip("-").isdigit()}
    means = {word: text for word, text in named.items() if word not in numbers}
    return types.Number(int(limits[0]), int(limits[1]), numbers, means)


def _sized(type: Callable[..., Type]) -> _Reader:
    def read(words: list[str], named: Mapping[str, str], _: None) -> Type:
        fields = {name: value.replace("_", " ") for name, value in named.items()}
        return type(int(words[0]), **fields, **dict.fromkeys(words[1:], True))

    return read


def _items(
    words: list[str],
    named: Mapping[str, str],
    each: types.Text | types.Name | types.Word,
) -> Type:
    return types.Items(each, int(words[0]), int(named.get("total", 0)), "filled" not in words)


def _profile(words: list[str], named: Mapping[str, str], _: None) -> Type:
    return types.Profile(
        int(words[0]),
        "question_mark" in words,
        tuple(named.get("special", "").split()),
    )


_TYPES: Mapping[str, _Reader] = {
    "Word": lambda words, means, _: types.Word(tuple(words), means),
    "Number": _number,
    "Flag": lambda words, *_: types.Flag(*words),
    "Items": _items,
    "Profile": _profile,
    "Shaped": lambda words, *_: types.Shaped(words[0], " ".join(words[1:])),
    "Custom": lambda *_: types.Custom(),
    "Date": lambda *_: types.DATE,
    "Time": lambda *_: types.TIME,
    **{
        type.__name__: _sized(type)
        for type in (types.Text, types.User, types.ConnectionName, types.Name, types.Hex)
    },
}
