"""DISPLAY: list objects or a status with the attributes asked for, in the order that is fixed for the kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from mqsc.language.generic_names import is_generic, matches
from mqsc.language.request import Naming, Request, Verb
from mqsc.language.where import Filter
from mqsc.reply import Answer, Row, refused
from mqsc.verbs.display_options import GROUPS, NAMINGS, OPTIONS
from mqsc.verbs.objects import objects_of
from mqsc.verbs.sources import Source, filter_of, source_of
from store.catalog import Kind
from store.catalog.types import Flag, Items, Type, Word

if TYPE_CHECKING:
    from store.client.api import QueueManager


# What can be asked for by groups of attributes.
_GROUPED = frozenset({"QMGR", "QMSTATUS", "QSTATUS", "SUB"})


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """What matches, streamed; a refusal that names the object when nothing does."""
    source = source_of(request.noun)
    where = filter_of(request)
    chosen = _selected(
        source.rows(qmgr, request), request if source.chosen else None, None if source.filtered else where
    )
    narrowed = _narrowing(request, source, where)
    rows = (narrowed(row) for row in chosen)
    first = next(rows, None)
    if first is None:
        return refused(source.missing_id, request.name or request.noun, source.missing)
    kind = request.kinds[0]
    bare, joined = _with_type(request.kinds, _is_flag), _with_type(request.kinds, _is_list_of_words)
    return Answer(
        kind.heading_id,
        kind.heading,
        rows=chain((first,), rows),
        each=True,
        bare=bare,
        joined=joined,
        alone=frozenset(source.alone),
        begins=frozenset(source.begins),
    )


def _selected(rows: Iterable[Row], request: Request | None, where: Filter | None) -> Iterator[Row]:
    """The rows that pass WHERE and the selecting attributes."""
    choosing = _choosing(request) if request else {}
    patterns = {word: value for word, value in choosing.items() if value != "ALL"}
    for row in rows:
        selected = all(word in row and matches(pattern, str(row[word])) for word, pattern in patterns.items())
        if selected and (where is None or where.passes(row)):
            yield row


def _choosing(request: Request) -> dict[str, str]:
    """The attributes that were given with a value: TYPE(QLOCAL), CLUSTER(SALES*)."""
    known = {word for kind in request.kinds for word, row in kind.attributes.items() if not row.option}
    return {word: str(value) for word, value in request.options.items() if word in known}


def _narrowing(request: Request, source: Source, where: Filter | None) -> Callable[[Row], dict[str, Any]]:
    """What leaves of a row the words to print; those are found once for every type of object."""
    kinds = {kind.keyword: kind for kind in request.kinds}
    known: dict[tuple[str, str], tuple[str, ...]] = {}

    def narrowed(row: Row) -> dict[str, Any]:
        kind = kinds[row["TYPE"]] if len(kinds) > 1 else request.kinds[0]
        subtype = str(row.get(kind.selector, ""))
        words = known.get((kind.keyword, subtype))
        if words is None:
            words = known[kind.keyword, subtype] = _shown(kind, subtype, request, source, where)
        telling = source.brief and is_generic(request.name) and not (request.requested or request.has("ALL"))
        return {word: row[word] for word in words if word in row and (row[word] not in ("", []) or not telling)}

    return narrowed


def _shown(kind: Kind, subtype: str, request: Request, source: Source, where: Filter | None) -> tuple[str, ...]:
    """What is printed of a type of object: its words in their fixed order."""
    rows = kind.attributes
    groups = {group for group in (*GROUPS, *source.groups) if request.has(group) and request.noun in _GROUPED}
    chosen = _choosing(request) if source.chosen else {}
    asked = {*request.requested, *chosen, *source.brief, *([where.keyword] if where else [])}
    asked |= {word for word, row in rows.items() if row.group in groups}
    asked |= {word for group in groups for word in source.groups.get(group, ())}
    narrow = request.requested or groups or (is_generic(request.name) and not source.whole)
    if request.has("ALL") or not narrow:
        asked |= {*kind.shown(subtype)}
    wanted = {*kind.key, *asked}
    return tuple(word for word in kind.display_order if word in wanted)


def _with_type(kinds: tuple[Kind, ...], fits: Callable[[Type], bool]) -> frozenset[str]:
    return frozenset(word for kind in kinds for word, row in kind.attributes.items() if fits(row.type))


def _is_flag(type: Type) -> bool:
    return isinstance(type, Flag)


def _is_list_of_words(type: Type) -> bool:
    """Words that MQ has numbers for stand in one line, names and other texts in a line each."""
    return isinstance(type, Items) and isinstance(type.of, Word)


VERB = Verb("DISPLAY", objects_of("DISPLAY"), Naming.GENERIC, perform, OPTIONS, lists_attributes=True, namings=NAMINGS)
