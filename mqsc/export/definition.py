"""A definition as it is written down: an object with everything that a command can give it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from store.catalog import KINDS, SYSTEM_OBJECTS, Kind, Stored, defaults

if TYPE_CHECKING:
    from store.client.api import QueueManager

# What other definitions name comes first; a subscription needs its topic and queue, a record the object it is about.
_FIRST = ("QMGR", "STGCLASS", "CFSTRUCT", "COMMINFO", "AUTHINFO", "NAMELIST", "PROCESS", "QLOCAL", "QMODEL", "QALIAS",
          "QREMOTE")  # fmt: skip
_LAST = ("SUB", "CHLAUTH", "AUTHREC")

# How the name begins of every object that a queue manager starts with.
SYSTEM = "SYSTEM"

# By which a definition is one and no other: namespace, name, and for records what else tells them apart.
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    """One object. `values` are the attributes that DEFINE, ALTER or SET take, as stored, in alphabetical order.

    `secrets` are those that have a value which nobody is shown; they are not among the values.
    """

    kind: Kind
    name: str
    values: Mapping[str, Stored]
    secrets: tuple[str, ...] = ()

    @property
    def subtype(self) -> str:
        """CHLTYPE, TRPTYPE ..., blank where the kind has none."""
        return str(self.values.get(self.kind.selector, "")) if self.kind.selector else ""

    @property
    def key(self) -> Key:
        """What no other definition of the queue manager has."""
        return key_of(self.kind, self.name, self.values)

    @property
    def title(self) -> str:
        """How one says it: QLOCAL(ORDERS)."""
        return f"{self.kind.keyword}({self.name})" if self.name else self.kind.keyword

    def is_like(self, other: Definition) -> bool:
        """Whether the other is of the same kind and subtype, so that one can be changed into the other."""
        return (self.kind.keyword, self.subtype) == (other.kind.keyword, other.subtype)


def key_of(kind: Kind, name: str, values: Mapping[str, Stored]) -> Key:
    """What tells an object from all others."""
    subtype = str(values.get(kind.selector, "")) if kind.selector else ""
    return (kind.namespace_of(subtype), name, *(str(values.get(word, "")) for word in kind.identity))


def kinds_in_order() -> list[Kind]:
    """Every kind of object, in an order in which definitions can be made one after the other."""
    middle = [word for word in KINDS if word not in (*_FIRST, *_LAST)]
    return [KINDS[word] for word in (*_FIRST, *middle, *_LAST) if word in KINDS]


def definitions(qmgr: QueueManager, kind: Kind, pattern: str = "*") -> Iterator[Definition]:
    """The objects of a kind by name, streamed; MQError 2059 when the queue manager does not run.

    Queues that go with the handle that made them are left out.
    """
    from store.admin import inquire, inquire_queue_manager

    rows: Iterable[Mapping[str, Any]]
    rows = [inquire_queue_manager(qmgr)] if kind.keyword == "QMGR" else inquire(qmgr, (kind,), pattern)
    for row in rows:
        if kind.keyword != "QLOCAL" or row["DEFTYPE"] != "TEMPDYN":
            yield _definition(kind, row)


def _definition(kind: Kind, row: Mapping[str, Any]) -> Definition:
    name = "" if kind.keyword == "QMGR" else str(next(iter(row.values())))
    subtype = str(row.get(kind.selector, "")) if kind.selector else ""
    words = [word for word in given_words(kind) if word in row and kind.attributes[word].takes(subtype)]
    secrets = tuple(word for word in words if kind.attributes[word].secret and row[word])
    values = {word: row[word] for word in words if not kind.attributes[word].secret}
    return Definition(kind, name, {**values, **{word: row[word] for word in kind.identity if word in row}}, secrets)


@cache
def _given_words(keyword: str) -> tuple[str, ...]:
    kind = KINDS[keyword]
    verbs = {"DEFINE", "SET"} if keyword != "QMGR" else {"ALTER"}
    rows = [row for row in kind.attributes.values() if verbs & row.verbs and not row.option]
    extra = ("AUTHLIST",) if "AUTHLIST" in kind.attributes else ()
    return (*sorted(row.keyword for row in rows), *extra)


def given_words(kind: Kind) -> tuple[str, ...]:
    """The attributes that a command can give objects of a kind; AUTHLIST, which SET AUTHREC gives as AUTHADD."""
    return _given_words(kind.keyword)


def defaults_of(kind: Kind, subtype: str, name: str = "") -> Mapping[str, Stored]:
    """What an object of a kind is shipped with."""
    return defaults(kind, subtype, name)


@cache
def shipped() -> Mapping[Key, Definition]:
    """The objects that a queue manager starts with, as they are then."""
    found = {}
    for each in SYSTEM_OBJECTS:
        kind, values = KINDS[each.kind], each.attributes()
        known = {word: values[word] for word in (*given_words(kind), *kind.identity) if word in values}
        if kind.selector and each.subtype:
            known[kind.selector] = each.subtype
        made = Definition(kind, each.name, dict(sorted(known.items())))
        found[made.key] = made
    return found
