"""DISPLAY: list objects or a status, with the requested attributes in the fixed order of the
kind.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from msgspec.structs import replace

from mqsc.language.reply import Answer, ReplyRow, refused
from mqsc.language.request import Conflict, Naming, Request
from mqsc.language.where import WhereFilter
from mqsc.store.catalog import Kind
from mqsc.store.catalog.types import Flag, Items, Word
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.rules.names import is_generic, matches
from mqsc.verbs.command_options import verb
from mqsc.verbs.row_sources import NothingToDisplayError, RowSource, filter_of, source_of

_GROUPS = ("CHINIT", "CLUSTER", "EVENT", "PUBSUB", "SYSTEM")
_WITHOUT_NAME = ("AUTHREC", "CHINIT", "CMDSERV", "ENTAUTH", "GROUP", "PUBSUB", "QMSTATUS")
_NAMINGS: Mapping[str, Naming] = {
    **dict.fromkeys(_WITHOUT_NAME, Naming.NONE),
    **dict.fromkeys(("SBSTATUS", "SUB"), Naming.OPTIONAL),
    "TPSTATUS": Naming.TOPIC,
}
_CONFLICTS = (
    Conflict("CHSTATUS", "CURRENT", ("SAVED", "SHORT")),
    Conflict("CHSTATUS", "SAVED", ("SHORT",)),
)
# The nouns with groups of attributes that can be requested together.
_GROUPED = frozenset({"CHSTATUS", "QMGR", "QMSTATUS", "QSTATUS", "SUB"})


# SUBTYPE(USER) means ADMIN and API: proxy subscriptions do not exist here.
_EVERYTHING = "ALL"
_EVERY_SUBSCRIPTION = ("SUBTYPE", "USER")


def perform_display(qmgr: QueueManager, request: Request) -> Answer:
    """The rows that match, streamed; a refusal that names the object if none match."""
    source = source_of(request.noun)
    where = filter_of(request)
    try:
        source_rows = source.rows(qmgr, request)
    except NothingToDisplayError as nothing:
        return nothing.answer
    selected = _selected(
        source_rows, _selectors(request, source), None if source.filtered else where
    )
    rows = map(_projection(request, source, where), selected)
    first = next(rows, None)
    if first is None:
        name = request.name or str(request.options.get("SUBID", request.noun))
        return refused(source.missing_id, name, source.missing)
    kind = request.kinds[0]
    rows_of_kinds = [
        (word, each.type) for kind in request.kinds for word, each in kind.attributes.items()
    ]
    bare = frozenset(word for word, type in rows_of_kinds if isinstance(type, Flag))
    joined = frozenset(
        word
        for word, type in rows_of_kinds
        if isinstance(type, Items) and isinstance(type.of, Word)
    )
    answer = Answer(
        kind.heading_id,
        kind.heading,
        rows=chain((first,), rows),
        shows_rows=True,
        bare=bare,
        joined=joined,
    )
    return replace(answer, alone=frozenset(source.alone), begins=frozenset(source.begins))


def _selected(
    rows: Iterable[ReplyRow],
    selectors: Mapping[str, str],
    where: WhereFilter | None,
) -> Iterator[ReplyRow]:
    """The rows that satisfy WHERE and the attributes given with a value."""
    patterns = {
        word: value
        for word, value in selectors.items()
        if value != _EVERYTHING and (word, value) != _EVERY_SUBSCRIPTION
    }
    for row in rows:
        selected = all(
            word in row and matches(pattern, str(row[word])) for word, pattern in patterns.items()
        )
        if selected and (where is None or where.passes(row)):
            yield row


def _selectors(request: Request, source: RowSource) -> dict[str, str]:
    """The attributes that were given with a value: TYPE(QLOCAL), CLUSTER(SALES*)."""
    if not source.selectable:
        return {}
    known = {
        word for kind in request.kinds for word, row in kind.attributes.items() if not row.option
    }
    return {word: str(value) for word, value in request.options.items() if word in known}


def _projection(
    request: Request,
    source: RowSource,
    where: WhereFilter | None,
) -> Callable[[ReplyRow], dict[str, Any]]:
    """A function that reduces a row to the words to print. The words are computed once for each
    type of object.
    """
    kinds = {kind.keyword: kind for kind in request.kinds}
    known: dict[tuple[str, str, str], tuple[str, ...]] = {}

    def projected(object_row: ReplyRow) -> dict[str, Any]:
        kind = kinds[object_row["TYPE"]] if len(kinds) > 1 else request.kinds[0]
        key = (
            kind.keyword,
            str(object_row.get(kind.selector, "")),
            str(object_row.get("QSGDISP", "")),
        )
        words = known.get(key)
        if words is None:
            words = known[key] = _with_disposition(
                kind,
                _words_to_show(kind, key[1], request, source, where, key[2]),
                key[2],
            )
        brief = (
            source.brief and _is_overview(request) and not (request.requested or request.has("ALL"))
        )
        unsaid = source.unsaid
        return {
            word: object_row[word]
            for word in words
            if word in object_row
            and not (
                brief and (object_row[word] in ("", []) or object_row[word] == unsaid.get(word))
            )
        }

    return projected


def _is_overview(request: Request) -> bool:
    """Whether the command asks which objects there are, rather than for one by its name."""
    return is_generic(request.name) or request.options.get("MATCH") == "RUNCHECK"


def _with_disposition(kind: Kind, words: tuple[str, ...], disposition: str) -> tuple[str, ...]:
    """The words for a member of a queue-sharing group: QSGDISP follows the name and the type."""
    if not disposition or "QSGDISP" in words[: len(kind.key)]:
        return words
    rest = tuple(word for word in words[len(kind.key) :] if word != "QSGDISP")
    return (*words[: len(kind.key)], "QSGDISP", *rest)


def _words_to_show(
    kind: Kind,
    subtype: str,
    request: Request,
    source: RowSource,
    where: WhereFilter | None,
    disposition: str,
) -> tuple[str, ...]:
    """The words to print for a type of object, in their fixed order."""
    attributes = kind.attributes
    groups = {
        group
        for group in (*_GROUPS, *source.groups)
        if request.has(group) and request.noun in _GROUPED
    }
    requested = {
        *request.requested,
        *_selectors(request, source),
        *source.brief,
        *([where.keyword] if where else []),
    }
    requested |= {word for word, attribute in attributes.items() if attribute.group in groups}
    requested |= {word for group in groups for word in source.groups.get(group, ())}
    requested |= {*source.always, *source.in_every_row}
    narrow = (
        source.always or request.requested or groups or (_is_overview(request) and not source.whole)
    )
    if is_generic(request.name) and not (request.requested or groups):
        requested |= {*source.of_generic}
    if request.has("ALL") or not narrow:
        requested |= {*kind.shown(subtype)}
        if disposition == "SHARED":
            requested |= {"CFSTRUCT"}
    wanted = {*kind.key, *requested}
    return tuple(word for word in kind.display_order if word in wanted)


DISPLAY = verb(
    "DISPLAY",
    Naming.GENERIC,
    perform_display,
    lists_attributes=True,
    namings=_NAMINGS,
    conflicts=_CONFLICTS,
)
