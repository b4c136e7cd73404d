"""The definition of an object: every attribute that a command can set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from store.catalog import KINDS, SYSTEM_OBJECTS, Kind, Stored

if TYPE_CHECKING:
    from store.client.api import QueueManager

# Objects that others name come first. A subscription needs its topic and queue, a record the object that it is about.
_FIRST = ("QMGR", "STGCLASS", "CFSTRUCT", "COMMINFO", "AUTHINFO", "NAMELIST", "PROCESS", "QLOCAL", "QMODEL", "QALIAS",
          "QREMOTE")  # fmt: skip
LAST = ("SUB", "CHLAUTH", "AUTHREC")

# The names of objects that a queue manager is created with begin so.
SYSTEM = "SYSTEM"

# Identifies a definition: namespace, name, for records the attributes of `Kind.identity`, and a disposition if any.
DefinitionKey = tuple[str, ...]


class Definition(Struct, frozen=True):
    """One object. `values` are the attributes that DEFINE, ALTER or SET can set, in alphabetical order.

    `secrets` names the attributes whose value is set but never shown; they are not in `values`.
    """

    kind: Kind
    name: str
    values: Mapping[str, Stored]
    secrets: tuple[str, ...] = ()

    @property
    def subtype(self) -> str:
        """The CHLTYPE, TRPTYPE and so on; blank if the kind has none."""
        return str(self.values.get(self.kind.selector, "")) if self.kind.selector else ""

    @property
    def key(self) -> DefinitionKey:
        return key_of(self.kind, self.name, self.values)

    @property
    def disposition(self) -> str:
        """GROUP or SHARED for an object of a queue-sharing group; blank for one of the queue manager."""
        return str(self.values.get("QSGDISP", ""))

    @property
    def title(self) -> str:
        """Kind, name and disposition: QLOCAL(ORDERS), QLOCAL(ORDERS) QSGDISP(GROUP)."""
        title = f"{self.kind.keyword}({self.name})" if self.name else self.kind.keyword
        return f"{title} QSGDISP({self.disposition})" if self.disposition else title

    def is_like(self, other: Definition) -> bool:
        """Whether both have the same kind and subtype, so that a command can change one into the other."""
        return (self.kind.keyword, self.subtype) == (other.kind.keyword, other.subtype)


def key_of(kind: Kind, name: str, values: Mapping[str, Stored]) -> DefinitionKey:
    subtype = str(values.get(kind.selector, "")) if kind.selector else ""
    # Objects of different dispositions may have one name.
    disposition = [str(values["QSGDISP"])] if "QSGDISP" in values else []
    return (kind.namespace_of(subtype), name, *(str(values.get(word, "")) for word in kind.identity), *disposition)


def kinds_in_order() -> list[Kind]:
    """Every kind of object, in an order in which their definitions can be run."""
    middle = [word for word in KINDS if word not in (*_FIRST, *LAST)]
    return [KINDS[word] for word in (*_FIRST, *middle, *LAST) if word in KINDS]


def definitions(qmgr: QueueManager, kind: Kind, pattern: str = "*") -> Iterator[Definition]:
    """The objects of a kind in the order of their names, streamed, without temporary dynamic queues.

    Of a queue-sharing group the objects themselves, but not the copies of them. Raises MQError 2059 when the queue
    manager is not running.
    """
    from store.admin.inquiring import inquire, inquire_queue_manager

    rows: Iterable[Mapping[str, Any]]
    if kind.keyword == "QMGR":
        rows = [inquire_queue_manager(qmgr)]
    else:
        rows = inquire(qmgr, (kind,), pattern, as_defined=True, disposition="ALL")
    for row in rows:
        if row.get("QSGDISP") == "COPY":
            continue
        if kind.keyword != "QLOCAL" or row["DEFTYPE"] != "TEMPDYN":
            yield _definition(kind, row)


def _definition(kind: Kind, row: Mapping[str, Any]) -> Definition:
    name = "" if kind.keyword == "QMGR" else str(next(iter(row.values())))
    subtype = str(row.get(kind.selector, "")) if kind.selector else ""
    words = [word for word in given_words(kind) if word in row and kind.attributes[word].takes(subtype)]
    secrets = tuple(word for word in words if kind.attributes[word].secret and row[word])
    values = {word: row[word] for word in words if not kind.attributes[word].secret}
    if row.get("QSGDISP") in ("GROUP", "SHARED"):
        values["QSGDISP"] = row["QSGDISP"]
    return Definition(kind, name, {**values, **{word: row[word] for word in kind.identity if word in row}}, secrets)


@cache
def _given_words(keyword: str) -> tuple[str, ...]:
    kind = KINDS[keyword]
    verbs = {"DEFINE", "SET"} if keyword != "QMGR" else {"ALTER"}
    rows = [row for row in kind.attributes.values() if verbs & row.verbs and not row.option]
    extra = ("AUTHLIST",) if "AUTHLIST" in kind.attributes else ()
    return (*sorted(row.keyword for row in rows), *extra)


def given_words(kind: Kind) -> tuple[str, ...]:
    """The attributes of a kind that a command can set, and AUTHLIST, which SET AUTHREC sets with AUTHADD."""
    return _given_words(kind.keyword)


@cache
def shipped() -> Mapping[DefinitionKey, Definition]:
    """The objects that a queue manager is created with."""
    found = {}
    for each in SYSTEM_OBJECTS:
        kind, values = KINDS[each.kind], each.attributes()
        known = {word: values[word] for word in (*given_words(kind), *kind.identity) if word in values}
        if kind.selector and each.subtype:
            known[kind.selector] = each.subtype
        definition = Definition(kind, each.name, dict(sorted(known.items())))
        found[definition.key] = definition
    return found
