"""What a command asks for, once its words have been checked against the vocabulary, and what it means to refuse it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from mqsc.reply import Answer
from store.catalog import KINDS, Attribute, Kind, Stored
from store.catalog.types import Flag

if TYPE_CHECKING:
    from store.client.api import QueueManager


class Naming(Enum):
    """What follows the object's word in parentheses."""

    NONE = "no name"
    EXACT = "a name"
    GENERIC = "a name, or the beginning of one and *"
    # A name or nothing: REFRESH SECURITY(*), DISPLAY SUB SUBID(...).
    OPTIONAL = "a name or nothing"
    SEVERAL = "a name or several"
    # A place in the tree of topics, whose root has the blank string: DISPLAY TPSTATUS('').
    TOPIC = "a topic string"


@dataclass(frozen=True, slots=True)
class Option:
    """A parameter of a command that is no attribute.

    `nouns` are the objects it goes with, all when empty; with `of_kind` only those whose kind has the word too.
    """

    row: Attribute
    nouns: frozenset[str] = frozenset()
    of_kind: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """A command that makes sense.

    `given` are attributes as the store keeps them, `options` the command's own parameters by keyword (a flag has its
    word as value), `requested` the attributes that DISPLAY was asked for, `name` as typed, blank where there is none.
    """

    verb: str
    noun: str
    kinds: tuple[Kind, ...]
    name: str = ""
    given: Mapping[str, Stored] = field(default_factory=dict)
    options: Mapping[str, Stored] = field(default_factory=dict)
    requested: tuple[str, ...] = ()

    @property
    def kind(self) -> Kind:
        """The kind of object, where the command is about one kind only."""
        (kind,) = self.kinds
        return kind

    def has(self, option: str) -> bool:
        """Whether the option was given, in whichever form."""
        return option in self.options


@dataclass(frozen=True, slots=True)
class Verb:
    """One MQSC verb: the objects it takes here with the kinds they cover, its own parameters, and what it does.

    `namings` are the objects that are named differently. `takes_attributes` says whether attributes of the object may
    be given with values; `lists_attributes` whether they may be named without one.
    """

    keyword: str
    objects: Mapping[str, tuple[Kind, ...]]
    naming: Naming
    perform: Callable[[QueueManager, Request], Answer]
    options: tuple[Option, ...] = ()
    takes_attributes: bool = False
    lists_attributes: bool = False
    namings: Mapping[str, Naming] = field(default_factory=dict)

    def naming_of(self, noun: str) -> Naming:
        """How an object is named; the queue manager is never named."""
        return Naming.NONE if noun == "QMGR" else self.namings.get(noun, self.naming)


@dataclass(frozen=True, slots=True)
class Form:
    """What may stand in one command.

    `words` may be given, with their rows (False for a NO-form); `listed` are the words that may be asked for without a
    value, with the keyword they stand for; `demanded` rows some object of the kind cannot do without.
    """

    verb: Verb
    noun: str
    kinds: tuple[Kind, ...]
    words: Mapping[str, tuple[Attribute, bool]]
    listed: Mapping[str, str]
    demanded: tuple[Attribute, ...]

    @property
    def title(self) -> str:
        """The command as one says it: DEFINE QLOCAL."""
        return f"{self.verb.keyword} {self.noun}"


def words_of(rows: Iterable[Attribute]) -> dict[str, tuple[Attribute, bool]]:
    """Every word that stands for one of the rows; False for the NO-form of a flag."""
    words: dict[str, tuple[Attribute, bool]] = {}
    for row in rows:
        words |= dict.fromkeys((row.keyword, *row.synonyms), (row, True))
        if isinstance(row.type, Flag) and row.type.off:
            words[row.type.off] = (row, False)
    return words


def same_namespace(kind: Kind) -> list[Kind]:
    """The kinds whose names live where those of `kind` do: the four types of queue, or the kind alone."""
    return [each for each in KINDS.values() if each.namespace == kind.namespace] or [kind]
