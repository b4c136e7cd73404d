"""A command as a request, and what its verb and its syntax are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct, field

from mqsc.language.reply import Answer
from mqsc.store.catalog import KINDS, Attribute, Kind, Stored, types

if TYPE_CHECKING:
    from mqsc.store.client.queue_manager import QueueManager


class Naming(Enum):
    """The kind of name in parentheses after the noun. The value is the phrase for messages."""

    NONE = "no name"
    EXACT = "a name"
    GENERIC = "a name, or the beginning of one and *"
    # REFRESH SECURITY(*), DISPLAY SUB SUBID(...).
    OPTIONAL = "a name or nothing"
    SEVERAL = "one or more names"
    # The root of the topic tree is the blank string: DISPLAY TPSTATUS('').
    TOPIC = "a topic string"


class Option(Struct, frozen=True):
    """A parameter of a command that is not an attribute of the object.

    `nouns` are the nouns that take it, or empty for all of them. With `of_kind` only nouns whose
    kind has the keyword too take it.
    """

    parameter: Attribute
    nouns: frozenset[str] = frozenset()
    of_kind: bool = False


class Request(Struct, frozen=True):
    """A valid command.

    `attributes` are those that were given, with the values that the store keeps. `options` are the
    command's own parameters by keyword; the value of a flag is its word. `requested` are the
    attributes that DISPLAY should show. `name` is the name as typed, or blank. `text` is the command
    as typed, secrets included; blank for a request that was not typed. `elsewhere`: all members of
    the queue-sharing group perform the command, and the one that read it changes the objects of the
    group. `yet_to_perform` are the members that perform the same command after this one. `place` is
    where the command is in a script, as FILE:LINE. `unknown` are parameters that only a queue
    manager elsewhere knows, as they are written, by keyword; nothing here performs them. With
    `keeps_secrets` a DEFINE that replaces an object leaves the secrets that it does not give.
    """

    verb: str
    noun: str
    kinds: tuple[Kind, ...]
    name: str = ""
    attributes: Mapping[str, Stored] = field(default_factory=dict)
    options: Mapping[str, Stored] = field(default_factory=dict)
    requested: tuple[str, ...] = ()
    text: str = ""
    elsewhere: bool = False
    yet_to_perform: frozenset[str] = frozenset()
    place: str = ""
    unknown: Mapping[str, str] = field(default_factory=dict)
    keeps_secrets: bool = False

    def __repr__(self) -> str:
        # Values may be secrets.
        return f"Request({self.verb} {self.noun} {self.name})"

    @property
    def kind(self) -> Kind:
        """The kind of object; ValueError if the command covers several."""
        (kind,) = self.kinds
        return kind

    def has(self, option: str) -> bool:
        """Whether the option was given, with any value."""
        return option in self.options


class Conflict(Struct, frozen=True):
    """Parameters for a noun that exclude each other: `keyword`, or only one of its values, and
    any of the others.
    """

    noun: str
    keyword: str
    others: tuple[str, ...]
    value: str = ""


class Verb(Struct, frozen=True):
    """One MQSC verb: its nouns with the kinds they cover, its own parameters, and the function that
    performs it.

    `namings` are the nouns that differ from `naming`. `takes_attributes` says whether attributes
    can be given with values, `lists_attributes` whether they can be given without.
    """

    keyword: str
    objects: Mapping[str, tuple[Kind, ...]]
    naming: Naming
    performer: Callable[[QueueManager, Request], Answer]
    options: tuple[Option, ...] = ()
    takes_attributes: bool = False
    lists_attributes: bool = False
    namings: Mapping[str, Naming] = field(default_factory=dict)
    conflicts: tuple[Conflict, ...] = ()

    def naming_of(self, noun: str) -> Naming:
        """How a command names its object; the queue manager is never named."""
        return Naming.NONE if noun == "QMGR" else self.namings.get(noun, self.naming)


class CommandSyntax(Struct, frozen=True):
    """The parameters of one command, a verb with its noun.

    `name_types` are the types that the name must satisfy. `words` are the keywords with their rows,
    False for the NO-form of a flag. `listed` are the words that can be asked for without a value,
    with the keyword each stands for. `demanded` are the rows that are required, at least for some
    subtype.
    """

    verb: Verb
    noun: str
    kinds: tuple[Kind, ...]
    naming: Naming
    name_types: tuple[types.Type, ...]
    words: Mapping[str, tuple[Attribute, bool]]
    listed: Mapping[str, str]
    demanded: tuple[Attribute, ...]

    @property
    def title(self) -> str:
        """The verb and the noun: DEFINE QLOCAL."""
        return f"{self.verb.keyword} {self.noun}"


def words_of(rows: Iterable[Attribute]) -> dict[str, tuple[Attribute, bool]]:
    """The words for the rows, each with its row; False for the NO-form of a flag."""
    words: dict[str, tuple[Attribute, bool]] = {}
    for row in rows:
        words |= dict.fromkeys((row.keyword, *row.synonyms), (row, True))
        if isinstance(row.type, types.Flag) and row.type.off:
            words[row.type.off] = (row, False)
    return words


def same_namespace(kind: Kind) -> list[Kind]:
    """The kinds that share their names with `kind`: the four types of queue, or the kind alone."""
    return [each for each in KINDS.values() if each.namespace == kind.namespace] or [kind]
