"""The nouns of commands, and the kinds of object that each covers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from mqsc.language.command_table import COMMANDS
from mqsc.language.unsupported import UNSUPPORTED
from mqsc.language.value_types import OrAsterisk
from store.catalog import QUEUES, Kind, kinds_of
from store.catalog.kind import make_kind
from store.catalog.types import Name, Text, Type, Word

# The type of the name, for nouns without a kind in the catalog. A noun that is not listed has an ordinary name.
_CLASSES = ("MQADMIN", "MQNLIST", "MQPROC", "MQQUEUE", "MXADMIN", "MXNLIST", "MXPROC", "MXQUEUE", "MXTOPIC")
_NAME_TYPES: Mapping[str, Type] = {
    "CLUSTER": OrAsterisk(Name(48)),
    "SECURITY": Word(("*", *_CLASSES)),
    "QSTATS": Name(48),
    "TOPICSTR": Text(10_240, varying=True),
}
_COVERED: Mapping[str, tuple[Kind, ...]] = {"QCLUSTER": QUEUES, "TCLUSTER": kinds_of("TOPIC")}


@cache
def kinds_for(noun: str) -> tuple[Kind, ...]:
    """The kinds that a command with this noun covers; a kind without attributes if the catalog has none."""
    found = _COVERED.get(noun) or kinds_of(noun)
    if found:
        return found
    from store.catalog.status import STATUS_KINDS

    if noun in STATUS_KINDS:
        return (STATUS_KINDS[noun],)
    return (make_kind(noun, _NAME_TYPES.get(noun, Name(48))),)


class NounKinds(Mapping[str, tuple[Kind, ...]]):
    """The nouns of a verb with their kinds. A kind is looked up when it is needed, because a run needs few of them."""

    def __init__(self, nouns: Iterable[str]) -> None:
        self._nouns = tuple(sorted(nouns))

    def __getitem__(self, noun: str) -> tuple[Kind, ...]:
        if noun not in self._nouns:
            raise KeyError(noun)
        return kinds_for(noun)

    def __iter__(self) -> Iterator[str]:
        return iter(self._nouns)

    def __len__(self) -> int:
        return len(self._nouns)


def objects_of(verb: str) -> NounKinds:
    """The nouns that a verb takes in MQSC, without those that are not supported here."""
    return NounKinds(noun for noun in COMMANDS[verb] if (verb, noun) not in UNSUPPORTED)
