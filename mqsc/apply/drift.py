"""What differs from a new queue manager although no command of the files says so.

`mqsc apply` neither resets nor deletes these objects: every queue manager has them. The default objects among them
matter to the files too, because a DEFINE starts from the one that the queue manager has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from mqsc.apply.declarations import Declarations, keys_of, record_of, removes
from mqsc.export.definition import Definition, DefinitionKey, definitions, kinds_in_order, shipped
from mqsc.plan import Action, Planned
from mqsc.verbs.authority_parameters import authority_changes
from store.admin.channel_auth import list_of
from store.catalog import KINDS, defaults
from store.rules.authority import changed

if TYPE_CHECKING:
    from mqsc.language.request import Request
    from store.client.api import QueueManager

Changes = Mapping[str, tuple[Any, Any]]
NO_FILE = "differs from a new queue manager, and no file says so"
GONE = "a new queue manager has it, and no file deletes it"
OF_OTHER_TYPE = "a new queue manager has an object of another type, and no file says so"


class ChangedDefault(Struct, frozen=True):
    """A default object that differs from that of a new queue manager, and the attributes that no command gives."""

    kind: str
    name: str
    changes: Changes


def differing_objects(copy: QueueManager, declarations: Declarations) -> Iterator[Planned]:
    """A row for each object and record of a new queue manager, default objects excepted, that is not as there.

    Also one for each record whose authorities are not all given by the files.
    """
    given = _given_words(declarations)
    for was, now in _pairs(copy):
        if was.key in given and given[was.key] is None:
            continue
        if now is None or not now.is_like(was):
            yield _row(was if now is None else now, {}, GONE if now is None else OF_OTHER_TYPE)
        elif (changes := _changes(was, now, given)) and not _is_default(was):
            yield _row(now, changes, NO_FILE)
    yield from _further_authorities(copy, declarations)


def differing_defaults(copy: QueueManager, declarations: Declarations) -> Iterator[ChangedDefault]:
    """The default objects with other attributes than on a new queue manager that objects of the files start from."""
    sources = {source for request in declarations.requests if (source := _source(request))}
    given = _given_words(declarations) if sources else {}
    for was, now in _pairs(copy) if sources else ():
        is_source = (was.kind.keyword, was.name) in sources and now is not None and now.is_like(was)
        changes = _changes(was, now, given) if is_source and now is not None else {}
        if changes:
            yield ChangedDefault(was.kind.keyword, was.name, changes)


def _pairs(copy: QueueManager) -> Iterator[tuple[Definition, Definition | None]]:
    """The queue manager and each object of a new one, with the definition that has its name now."""
    (qmgr,) = definitions(copy, KINDS["QMGR"])
    yield Definition(qmgr.kind, qmgr.name, defaults(qmgr.kind, "", copy.name)), qmgr
    found = {each.key: each for kind in kinds_in_order() for each in definitions(copy, kind, _pattern(kind.identity))}
    yield from ((was, found.get(key)) for key, was in shipped().items())


def _pattern(identity: tuple[str, ...]) -> str:
    return "*" if identity else "SYSTEM*"


def _given_words(declarations: Declarations) -> dict[DefinitionKey, set[str] | None]:
    """The attributes that the files give for each definition that they name; None if they give or remove all."""
    found: dict[DefinitionKey, set[str] | None] = {}
    for request in declarations.requests:
        for key in keys_of(request):
            words = found.setdefault(key, set())
            if request.verb != "ALTER" or removes(request):
                found[key] = None
            elif words is not None:
                words.update(request.given)
    return found


def _changes(was: Definition, now: Definition, given: Mapping[DefinitionKey, set[str] | None]) -> Changes:
    words = given.get(was.key, set())
    if words is None:
        return {}
    return {
        word: (was.values.get(word), value)
        for word, value in now.values.items()
        if word not in words and was.values.get(word) != value
    }


def _is_default(was: Definition) -> bool:
    return bool(was.name) and was.kind.default_object_of(was.subtype) == was.name


def _source(request: Request) -> tuple[str, str] | None:
    """The default object that a DEFINE starts from."""
    if request.verb != "DEFINE" or "LIKE" in request.options:
        return None
    kind = request.kind
    name = kind.default_object_of(str(request.given.get(kind.selector, "")))
    return (kind.keyword, name) if name and name != request.name else None


def _further_authorities(copy: QueueManager, declarations: Declarations) -> Iterator[Planned]:
    """Records that the files set, and which have more authorities than the files give and a new queue manager has."""
    expected: dict[DefinitionKey, list[str]] = {}
    for request in declarations.requests:
        if request.kinds[0].keyword == "AUTHREC":
            for key in keys_of(request):
                known = shipped().get(key)
                had = expected.get(key) or (list_of(known.values, "AUTHLIST") if known else [])
                expected[key] = [] if removes(request) else changed(had, *authority_changes(request))
    for each in definitions(copy, KINDS["AUTHREC"]) if expected else ():
        wanted, now = expected.get(each.key), list_of(each.values, "AUTHLIST")
        if wanted is not None and not set(now) <= set(wanted):
            yield _row(each, {"AUTHLIST": (wanted, now)}, NO_FILE)


def _row(definition: Definition, changes: Changes, reason: str) -> Planned:
    kind, name = definition.kind, definition.name
    row = Planned(None, 0, "", Action.DIFFERS, kind.keyword, name, changes, text=reason)
    return replace(row, record=record_of(kind, definition.values))
