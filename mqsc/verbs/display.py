"""DISPLAY: list objects of a kind, with the attributes asked for, in the order that is fixed for the kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from mqsc.generic import GenericName, Words, is_generic, matches
from mqsc.reply import Answer, Row
from mqsc.request import Naming, Request, Verb, same_namespace
from mqsc.verbs.objects import objects_of
from mqsc.verbs.options import GROUP_OPTIONS, flag, option
from mqsc.where import Filter, read_filter
from store.catalog import QUEUES, Kind
from store.catalog.types import Flag
from store.constants import MQRC
from store.error import MQError

if TYPE_CHECKING:
    from store.queue_manager import QueueManager

QUEUE_WORDS = ("QUEUE", *(kind.keyword for kind in QUEUES))
NAMED = tuple(noun for noun in objects_of("DISPLAY") if noun != "QMGR")
GROUPS = ("CHINIT", "CLUSTER", "EVENT", "PUBSUB", "SYSTEM")


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """The objects that match, streamed; MQError 2085 when none does."""
    kinds = tuple(kind for kind in request.kinds if request.options.get("TYPE", "ALL") in ("ALL", kind.keyword))
    words = request.options.get("WHERE")
    where = read_filter(words, same_namespace(request.kinds[0])) if isinstance(words, list) else None
    shown = {kind.keyword: _shown(kind, request, where) for kind in kinds}
    rows = (
        _narrowed(row, shown[row["TYPE"] if len(kinds) > 1 else kinds[0].keyword])
        for row in _selected(_rows(qmgr, request, kinds), request, where)
    )
    first = next(rows, None)
    if first is None:
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, request.name)
    kind = request.kinds[0]
    return Answer(kind.heading_id, kind.heading, rows=chain((first,), rows), each=True, bare=_bare(kinds))


def _rows(qmgr: QueueManager, request: Request, kinds: tuple[Kind, ...]) -> Iterable[Row]:
    from store.admin import inquire, inquire_queue_manager

    if request.noun == "QMGR":
        return [inquire_queue_manager(qmgr)]
    return inquire(qmgr, kinds, request.name) if kinds else ()


def _selected(rows: Iterable[Row], request: Request, where: Filter | None) -> Iterator[Row]:
    """The rows that pass WHERE and the selecting attributes."""
    patterns = {word: value for word, value in _choosing(request).items() if value != "ALL"}
    for row in rows:
        selected = all(word in row and matches(pattern, str(row[word])) for word, pattern in patterns.items())
        if selected and (where is None or where.passes(row)):
            yield row


def _choosing(request: Request) -> dict[str, str]:
    """The attributes that were given with a value: TYPE(QLOCAL), CLUSTER(SALES*)."""
    known = {word for kind in request.kinds for word, row in kind.attributes.items() if not row.option}
    return {word: str(value) for word, value in request.options.items() if word in known}


def _narrowed(row: Row, words: tuple[str, ...]) -> dict[str, Any]:
    return {word: row[word] for word in words if word in row}


def _shown(kind: Kind, request: Request, where: Filter | None) -> tuple[str, ...]:
    """What is printed of a kind: its words in their fixed order."""
    rows = kind.attributes
    groups = {group for group in GROUPS if request.has(group) and request.noun == "QMGR"}
    asked = {*request.requested, *_choosing(request), *([where.keyword] if where else [])}
    asked |= {word for word, row in rows.items() if row.group in groups}
    if request.has("ALL") or not (request.requested or groups or is_generic(request.name)):
        asked |= {word for word in kind.display_order if word not in rows or not rows[word].asked_only}
    wanted = {*kind.key, *asked}
    return tuple(word for word in kind.display_order if word in wanted)


def _bare(kinds: tuple[Kind, ...]) -> frozenset[str]:
    return frozenset(
        word for kind in kinds for word, attribute in kind.attributes.items() if isinstance(attribute.type, Flag)
    )


VERB = Verb(
    "DISPLAY",
    objects_of("DISPLAY"),
    Naming.GENERIC,
    perform,
    (
        flag("ALL", "", "Show every attribute."),
        option("WHERE", Words("a keyword, an operator and a value"), "Show only what passes.", None, *NAMED),
        option("CLUSTER", GenericName(), "Only queues in these clusters.", None, *QUEUE_WORDS),
        option("CLUSNL", GenericName(), "Only queues with these cluster lists.", None, *QUEUE_WORDS),
        # No cluster queues exist here, so there is nothing that this could add.
        flag("CLUSINFO", "", "Show cluster queues too.", *QUEUE_WORDS),
        *(flag(group, "", f"The attributes of the group {group}.", "QMGR") for group in GROUPS),
        *GROUP_OPTIONS,
    ),
    lists_attributes=True,
)
