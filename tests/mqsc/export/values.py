"""Random values for the attributes of every kind of object, in stored form."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from mqsc.store.catalog import Attribute, Kind, Stored
from mqsc.store.catalog.types import (
    ConnectionName,
    Custom,
    Flag,
    Hex,
    Items,
    Name,
    Number,
    Profile,
    Text,
    Type,
    Word,
)

NAME_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./_%"
# Characters at which lines are broken or that need quotes, and characters of several bytes.
AWKWARD = st.sampled_from("'  +-*;,()=\"é€😀\t&")
CHARACTERS = st.one_of(AWKWARD, st.characters(codec="utf-8", exclude_characters="\0\r\n"))


def names(length: int) -> st.SearchStrategy[str]:
    """Generate object names."""
    return st.text(NAME_CHARACTERS, min_size=1, max_size=length)


def names_of(type: Name) -> st.SearchStrategy[str]:
    """Generate names that the type accepts."""
    if not type.plain:
        return names(type.length)
    return st.from_regex(rf"[A-Z][A-Z0-9]{{0,{type.length - 1}}}", fullmatch=True)


def texts(kind: Text) -> st.SearchStrategy[str]:
    """Generate texts in the form that the type stores."""
    length = min(kind.length, 200)
    fitting = st.text(CHARACTERS, max_size=length).filter(lambda text: len(text.encode()) <= length)
    return fitting if kind.varying else fitting.map(lambda text: text.rstrip(" "))


def stored(kind: Type) -> st.SearchStrategy[Any]:
    """Generate stored values of a type."""
    if isinstance(kind, Number):
        words = st.sampled_from(sorted(kind.named)) if kind.named else st.nothing()
        return st.one_of(
            words,
            st.integers(kind.low, kind.high).map(lambda number: kind.accept(str(number))),
        )
    if isinstance(kind, (Word, Flag)):
        return st.sampled_from(kind.words if isinstance(kind, Flag) else kind.values)
    if isinstance(kind, Name):
        return st.one_of(st.just(""), names_of(kind))
    if isinstance(kind, Items):
        item = stored(kind.of).filter(lambda each: bool(str(each).strip()))
        least = 0 if kind.may_be_empty else 1
        most = min(kind.most, 5)
        return st.lists(
            item,
            min_size=least,
            max_size=most,
            unique=isinstance(kind.of, Word),
        ).filter(
            lambda items: not kind.total or len(",".join(items).encode()) <= kind.total,
        )
    if isinstance(kind, Hex):
        return st.one_of(
            st.just(""),
            st.text("0123456789ABCDEF", min_size=kind.digits, max_size=kind.digits),
        )
    if isinstance(kind, Profile):
        return names(kind.length)
    if isinstance(kind, Custom):
        return st.sampled_from(["", "CAPEXPRY(50)", "FEATURE('on')"])
    if isinstance(kind, ConnectionName):
        return st.sampled_from(
            ["QM2", "host(1414), backup(1415)", "sqlite:////srv/it's, here.db(QM2)"],
        )
    assert isinstance(kind, Text), kind
    return texts(kind)


def rows_for(kind: Kind, verb: str, subtype: str) -> list[Attribute]:
    """Return the attributes that a verb may set on objects of a subtype. Secrets are omitted:
    they are not exported.
    """
    rows = [
        row
        for row in kind.attributes.values()
        if verb in row.verbs and not (row.option or row.secret)
    ]
    return [row for row in rows if row.takes(subtype) and row.keyword != kind.selector]


@st.composite
def attributes(draw: st.DrawFn, kind: Kind, verb: str, subtype: str = "") -> dict[str, Stored]:
    """Draw some attributes of an object, including all that are required."""
    rows = rows_for(kind, verb, subtype)
    needed = [row for row in rows if row.is_required(subtype) and verb == "DEFINE"]
    some = draw(st.lists(st.sampled_from(rows), max_size=8, unique_by=lambda row: row.keyword))
    chosen = {row.keyword: row for row in (*needed, *some)}
    values = {word: draw(stored(row.type)) for word, row in chosen.items()}
    return {**({kind.selector: subtype} if kind.selector and subtype else {}), **values}


def subtypes(kind: Kind) -> st.SearchStrategy[str]:
    """Draw a CHLTYPE, TRPTYPE or the like; blank if the kind has none."""
    if not kind.selector:
        return st.just("")
    selector = kind.attributes[kind.selector].type
    assert isinstance(selector, Word)
    return st.sampled_from(selector.values)
