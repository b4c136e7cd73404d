"""All kinds of object, and how they are found by their words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from store.catalog.attribute import Attribute
from store.catalog.kind import Kind
from store.catalog.tables import read_kinds

KINDS: Mapping[str, Kind] = MappingProxyType(read_kinds("kinds.csv", "attributes.csv"))
# The kinds that DISPLAY QUEUE covers, in the order of their names.
QUEUES = tuple(KINDS[word] for word in ("QALIAS", "QLOCAL", "QMODEL", "QREMOTE"))

_BY_WORD = {word: kind for kind in KINDS.values() for word in (kind.keyword, *kind.synonyms)}
_SEVERAL = {"QUEUE": QUEUES, "Q": QUEUES}


def kind_of(word: str) -> Kind | None:
    """The kind with this keyword or synonym (QL), in any case; None when there is none."""
    return _BY_WORD.get(word.upper())


def kinds_of(word: str) -> tuple[Kind, ...]:
    """The kinds that DISPLAY covers for a word: four for QUEUE, otherwise the kind that the word names."""
    kind = kind_of(word)
    return _SEVERAL.get(word.upper()) or (() if kind is None else (kind,))


def attribute_of(kind: Kind, word: str, verb: str = "DISPLAY") -> tuple[Attribute, bool] | None:
    """The attribute with this keyword or synonym, and False for a clearing keyword (NOTRIGGER); None when unknown.

    The result does not say whether the verb accepts the attribute; synonyms for DISPLAY are found only with that verb.
    """
    found = kind.words.get(word.upper())
    if found is not None and verb != "DISPLAY" and word.upper() in found[0].display_synonyms:
        return None
    return found
