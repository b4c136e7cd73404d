"""Which commands make the definitions of a queue manager again, on a new one, in which order.

First what is different about the queue manager and its SYSTEM objects, so that every DEFINE starts from the same
default objects as here; then the objects, then the SYSTEM objects that are gone or of another type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mqsc.export.definition import SYSTEM, Definition, Key, defaults_of, definitions, kinds_in_order, shipped
from store.catalog import KINDS, Attribute, Kind, Stored

if TYPE_CHECKING:
    from store.client.api import QueueManager

# Words of platforms that most scripts are not for: written only where they say something.
_ELSEWHERE = frozenset({"zos", "windows", "nsk"})


@dataclass(frozen=True, slots=True)
class Selection:
    """What is exported.

    `everything` writes the attributes that are as by default too; `kinds` are those that are looked at, all when empty;
    `pattern` is the name, perhaps with an asterisk at its end.
    """

    everything: bool = False
    kinds: frozenset[str] = frozenset()
    pattern: str = "*"

    def has(self, definition: Definition) -> bool:
        """Whether the object is one of those."""
        name = definition.name
        named = name.startswith(self.pattern[:-1]) if self.pattern.endswith("*") else name == self.pattern
        return named and (not self.kinds or definition.kind.keyword in self.kinds)


@dataclass(frozen=True, slots=True)
class Step:
    """One command: its verb (DEFINE, ALTER, SET, DELETE), the object, and the attributes that it gives.

    A DELETE of a record is a SET that removes it. `missing` are the attributes that name an object without which the
    command is refused, and which is gone.
    """

    verb: str
    definition: Definition
    values: Mapping[str, Stored]
    missing: tuple[str, ...] = ()

    @property
    def secrets(self) -> tuple[str, ...]:
        """The attributes that have a value which is not written."""
        return () if self.verb == "DELETE" else self.definition.secrets


def steps(qmgr: QueueManager, selection: Selection) -> Iterator[Step]:
    """The commands, streamed; MQError 2059, before the first, when the queue manager does not run."""
    from store.admin.inquiring import check_running

    check_running(qmgr)
    return _steps(qmgr, selection)


def _steps(qmgr: QueueManager, selection: Selection) -> Iterator[Step]:
    system = _system_objects(qmgr)
    later: list[Step] = []
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


def _system_objects(qmgr: QueueManager) -> dict[Key, Definition]:
    """The SYSTEM objects as they are now."""
    kinds = [kind for kind in kinds_in_order() if not kind.identity and kind.keyword != "QMGR"]
    found = (each for kind in kinds for each in definitions(qmgr, kind, f"{SYSTEM}*"))
    return {each.key: each for each in found if each.key in shipped()}


def _of_queue_manager(qmgr: QueueManager, kind: Kind, selection: Selection) -> Iterator[Step]:
    for definition in definitions(qmgr, kind):
        base = defaults_of(kind, "", qmgr.name)
        values = _different(definition, base, selection.everything)
        wanted = not selection.kinds or kind.keyword in selection.kinds
        if wanted and (values or definition.secrets):
            yield Step("ALTER", definition, values)


def _of_system_object(was: Definition, now: Definition | None, selection: Selection) -> tuple[list[Step], list[Step]]:
    """What is different about an object that a queue manager starts with: steps to take first, and last."""
    if not selection.has(was if now is None else now):
        return [], []
    if now is None:
        return [], [Step("DELETE", was, {})]
    if not now.is_like(was):
        base = defaults_of(now.kind, now.subtype)
        return [], [Step("DELETE", was, {}), Step("DEFINE", now, _different(now, base, selection.everything))]
    changed = {word for word, value in now.values.items() if was.values.get(word) != value}
    if not changed and not now.secrets:
        return [], []
    if all("ALTER" in now.kind.attributes[word].verbs for word in changed):
        values = _different(now, was.values, selection.everything)
        alterable = {word: value for word, value in values.items() if _is_alterable(now.kind.attributes[word])}
        return [Step("ALTER", now, alterable)], []
    return [Step("DEFINE", now, _different(now, defaults_of(now.kind, now.subtype), selection.everything))], []


def _is_alterable(row: Attribute) -> bool:
    return "ALTER" in row.verbs


def _of_kind(qmgr: QueueManager, kind: Kind, system: Mapping[Key, Definition], selection: Selection) -> Iterator[Step]:
    """The objects of a kind that a queue manager does not start with."""
    if kind.keyword == "QMGR" or (selection.kinds and kind.keyword not in selection.kinds):
        return
    here: set[Key] = set()
    for definition in definitions(qmgr, kind, "*" if kind.identity else selection.pattern):
        key = definition.key
        is_record, known = bool(kind.identity), shipped().get(key)
        here |= {key} if is_record and known else set()
        if selection.has(definition) and (known is None or (is_record and known != definition)):
            base = _start(definition, system)
            values = _different(definition, base, selection.everything)
            yield Step("SET" if is_record else "DEFINE", definition, values, _missing(qmgr, definition))
    for key, was in shipped().items():
        if was.kind.keyword == kind.keyword and kind.identity and key not in here and selection.has(was):
            yield Step("DELETE", was, {})


def _missing(qmgr: QueueManager, definition: Definition) -> tuple[str, ...]:
    """What a subscription needs and has outlived: its topic object, and a queue of this queue manager."""
    if definition.kind.keyword != "SUB":
        return ()
    values = definition.values
    here = values["DESTCLAS"] == "PROVIDED" and values["DESTQMGR"] in ("", qmgr.name)
    needed = {"TOPICOBJ": "topic", **({"DEST": "queue"} if here else {})}
    return tuple(word for word, space in needed.items() if values[word] and not _exists(qmgr, space, str(values[word])))


def _exists(qmgr: QueueManager, namespace: str, name: str) -> bool:
    kinds = [kind for kind in KINDS.values() if kind.namespace == namespace]
    return any(True for kind in kinds for _ in definitions(qmgr, kind, name))


def _start(definition: Definition, system: Mapping[Key, Definition]) -> Mapping[str, Stored]:
    """What a DEFINE on the new queue manager starts from: the default object as it is here, or else as shipped."""
    kind, subtype = definition.kind, definition.subtype
    default = system.get((kind.namespace_of(subtype), kind.default_object_of(subtype)))
    base = defaults_of(kind, subtype)
    return {**base, **default.values} if default is not None and default.is_like(definition) else base


def _different(definition: Definition, base: Mapping[str, Stored], everything: bool) -> dict[str, Stored]:
    """The values to write: those that must be given, that differ, and with `everything` all that any script may say."""
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
    """Whether queue managers of most platforms know the attribute."""
    return row.platform not in _ELSEWHERE and subtype not in row.zos_for
