"""What commands are about: the kinds of object of the catalog, what only DISPLAY knows, and what has no attributes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from mqsc.language.generic_names import OrAll
from store.catalog import QUEUES, Kind, kinds_of
from store.catalog.kind import make_kind
from store.catalog.types import Name, Text, Type, Word

# What is named, or only spoken of, in a command and has no attributes of its own; with the form of its name.
_BARE: Mapping[str, Type] = {
    "CLUSTER": OrAll(Name(48)),
    "SECURITY": Word(("*",)),
    "QSTATS": Name(48),
    "TOPICSTR": Text(10_240, varying=True),
}
_COVERED: Mapping[str, tuple[Kind, ...]] = {"QCLUSTER": QUEUES, "TCLUSTER": kinds_of("TOPIC")}


@cache
def subjects_of(noun: str) -> tuple[Kind, ...]:
    """The kinds that a command with this noun covers; one made for the purpose where the catalog has none."""
    found = _COVERED.get(noun) or kinds_of(noun)
    if found:
        return found
    from store.catalog.status import STATUS_KINDS

    return (STATUS_KINDS[noun],) if noun in STATUS_KINDS else (bare(noun, _BARE.get(noun, Name(48))),)


def bare(noun: str, name: Type) -> Kind:
    """A kind without attributes, for what is only named."""
    return make_kind(
        noun,
        (),
        "",
        name,
        synonyms=(),
        namespace=noun.lower(),
        heading_id="",
        heading="",
        key=(),
    )


class Subjects(Mapping[str, tuple[Kind, ...]]):
    """The nouns of a verb with the kinds they cover, looked up when asked for: not every run needs them all."""

    def __init__(self, nouns: Iterable[str]) -> None:
        self._nouns = tuple(sorted(nouns))

    def __getitem__(self, noun: str) -> tuple[Kind, ...]:
        """The kinds that a noun covers."""
        if noun not in self._nouns:
            raise KeyError(noun)
        return subjects_of(noun)

    def __iter__(self) -> Iterator[str]:
        """The nouns, sorted."""
        return iter(self._nouns)

    def __len__(self) -> int:
        """How many nouns."""
        return len(self._nouns)
