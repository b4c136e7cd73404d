"""The commands that reproduce the definitions of a queue manager on a new one, in the order in which to run them.

First come changes of the queue manager and of its SYSTEM objects, so that every DEFINE starts from the same default
objects; then the other objects; then the SYSTEM objects that were deleted or replaced by an object of another type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mqsc.export.definition import SYSTEM, Definition, DefinitionKey, definitions, kinds_in_order, shipped
from store.catalog import KINDS, Attribute, Kind, Stored, defaults

if TYPE_CHECKING:
    from store.client.api import QueueManager

# Attributes of these platforms are written only when they differ from their default.
_RARE_PLATFORMS = frozenset({"zos", "windows", "nsk"})


@dataclass(frozen=True, slots=True)
class ExportSelection:
    """Selects objects and attributes.

    `everything` includes attributes at their default values. Empty `kinds` means all kinds. `pattern` is a name that
    may end in an asterisk.
    """

    everything: bool = False
    kinds: frozenset[str] = frozenset()
    pattern: str = "*"

    def has(self, definition: Definition) -> bool:
        name = definition.name
        named = name.startswith(self.pattern[:-1]) if self.pattern.endswith("*") else name == self.pattern
        return named and (not self.kinds or definition.kind.keyword in self.kinds)


@dataclass(frozen=True, slots=True)
class ExportCommand:
    """One command: its verb (DEFINE, ALTER, SET, DELETE), the object, and the attributes that it sets.

    DELETE of a record stands for a SET that removes it. `missing` has the attributes that name a deleted object which
    the command needs.
    """

    verb: str
    definition: Definition
    values: Mapping[str, Stored]
    missing: tuple[str, ...] = ()

    @property
    def secrets(self) -> tuple[str, ...]:
        """The attributes that are set but not written."""
        return () if self.verb == "DELETE" else self.definition.secrets


def export_commands(qmgr: QueueManager, selection: ExportSelection) -> Iterator[ExportCommand]:
    """The commands, streamed. Raises MQError 2059 at once when the queue manager is not running."""
    from store.admin.inquiring import check_running

    check_running(qmgr)
    return _commands(qmgr, selection)


def _commands(qmgr: QueueManager, selection: ExportSelection) -> Iterator[ExportCommand]:
    system = _system_objects(qmgr)
    later: list[ExportCommand] = []
    for kind in kinds_in_order():
        if kind.keyword == "QMGR":
            yield from _of_queue_manager(qmgr, kind, selection)
        for key, was in shipped().items():
            if was.kind.keyword == kind.keyword and not kind.identity:
                early, late = _of_system_object(was, system.get(key), selection)
                yield from early
                later += late
    for kind in kinds_in_order():
        yield from _of_kind(qmgr, kind, system, selection)
    yield from later


def _system_objects(qmgr: QueueManager) -> dict[DefinitionKey, Definition]:
    """The current SYSTEM objects."""
    kinds = [kind for kind in kinds_in_order() if not kind.identity and kind.keyword != "QMGR"]
    found = (each for kind in kinds for each in definitions(qmgr, kind, f"{SYSTEM}*"))
    return {each.key: each for each in found if each.key in shipped()}


def _of_queue_manager(qmgr: QueueManager, kind: Kind, selection: ExportSelection) -> Iterator[ExportCommand]:
    for definition in definitions(qmgr, kind):
        base = defaults(kind, "", qmgr.name)
        values = _different(definition, base, selection.everything)
        wanted = not selection.kinds or kind.keyword in selection.kinds
        if wanted and (values or definition.secrets):
            yield ExportCommand("ALTER", definition, values)


def _of_system_object(
    was: Definition, now: Definition | None, selection: ExportSelection
) -> tuple[list[ExportCommand], list[ExportCommand]]:
    """The commands for an object that a queue manager is created with: those to run first, and those to run last."""
    if not selection.has(was if now is None else now):
        return [], []
    if now is None:
        return [], [ExportCommand("DELETE", was, {})]
    if not now.is_like(was):
        base = defaults(now.kind, now.subtype)
        return [], [
            ExportCommand("DELETE", was, {}),
            ExportCommand("DEFINE", now, _different(now, base, selection.everything)),
        ]
    changed = {word for word, value in now.values.items() if was.values.get(word) != value}
    if not changed and not now.secrets:
        return [], []
    if all("ALTER" in now.kind.attributes[word].verbs for word in changed):
        values = _different(now, was.values, selection.everything)
        alterable = {word: value for word, value in values.items() if _is_alterable(now.kind.attributes[word])}
        return [ExportCommand("ALTER", now, alterable)], []
    return [ExportCommand("DEFINE", now, _different(now, defaults(now.kind, now.subtype), selection.everything))], []


def _is_alterable(row: Attribute) -> bool:
    return "ALTER" in row.verbs


def _of_kind(
    qmgr: QueueManager, kind: Kind, system: Mapping[DefinitionKey, Definition], selection: ExportSelection
) -> Iterator[ExportCommand]:
    """The commands for the objects of a kind that a queue manager is not created with."""
    if kind.keyword == "QMGR" or (selection.kinds and kind.keyword not in selection.kinds):
        return
    here: set[DefinitionKey] = set()
    for definition in definitions(qmgr, kind, "*" if kind.identity else selection.pattern):
        key = definition.key
        is_record, known = bool(kind.identity), shipped().get(key)
        here |= {key} if is_record and known else set()
        if selection.has(definition) and (known is None or (is_record and known != definition)):
            base = _start(definition, system)
            values = _different(definition, base, selection.everything)
            yield ExportCommand("SET" if is_record else "DEFINE", definition, values, _missing(qmgr, definition))
    for key, was in shipped().items():
        if was.kind.keyword == kind.keyword and kind.identity and key not in here and selection.has(was):
            yield ExportCommand("DELETE", was, {})


def _missing(qmgr: QueueManager, definition: Definition) -> tuple[str, ...]:
    """The attributes of a subscription that name a deleted topic object, or a deleted queue of this queue manager."""
    if definition.kind.keyword != "SUB":
        return ()
    values = definition.values
    here = values["DESTCLAS"] == "PROVIDED" and values["DESTQMGR"] in ("", qmgr.name)
    needed = {"TOPICOBJ": "topic", **({"DEST": "queue"} if here else {})}
    return tuple(word for word, space in needed.items() if values[word] and not _exists(qmgr, space, str(values[word])))


def _exists(qmgr: QueueManager, namespace: str, name: str) -> bool:
    kinds = [kind for kind in KINDS.values() if kind.namespace == namespace]
    return any(True for kind in kinds for _ in definitions(qmgr, kind, name))


def _start(definition: Definition, system: Mapping[DefinitionKey, Definition]) -> Mapping[str, Stored]:
    """The attributes that a DEFINE on the new queue manager starts from: those of the default object."""
    kind, subtype = definition.kind, definition.subtype
    default = system.get((kind.namespace_of(subtype), kind.default_object_of(subtype)))
    base = defaults(kind, subtype)
    return {**base, **default.values} if default is not None and default.is_like(definition) else base


def _different(definition: Definition, base: Mapping[str, Stored], everything: bool) -> dict[str, Stored]:
    """The attributes to write: required ones, those that differ from `base`, and with `everything` all common ones."""
    kind, subtype = definition.kind, definition.subtype
    rows = {word: row for word, row in kind.attributes.items() if word in definition.values}
    return {
        word: value
        for word, value in definition.values.items()
        if (rows[word].leading and kind.selector == word)
        or rows[word].is_required(subtype)
        or base.get(word) != value
        or (everything and not kind.identity and _is_common(rows[word], subtype))
    }


def _is_common(row: Attribute, subtype: str) -> bool:
    """Whether most platforms have the attribute."""
    return row.platform not in _RARE_PLATFORMS and subtype not in row.zos_for
