"""The differences between the definitions of two queue managers, object by object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from mqsc.export.definition import Definition, DefinitionKey, definitions, kinds_in_order
from mqsc.export.mqsc_output import parameter
from store.catalog import Attribute, Stored, defaults

if TYPE_CHECKING:
    from store.client.api import QueueManager

INDENT = " " * 11


class Difference(Struct, frozen=True):
    """The change to one object; the action is CREATE, UPDATE or DELETE.

    `changes` maps keywords to the old and the new value. For CREATE the old value is None, and attributes with their
    default value are left out.
    """

    action: str
    definition: Definition
    changes: Mapping[str, tuple[Stored | None, Stored]]

    def lines(self) -> Iterator[str]:
        """A line for the object, then one for each attribute."""
        yield f"{self.action:<9}  {self.definition.title}"
        # The title has the disposition.
        changes = {word: change for word, change in self.changes.items() if word != "QSGDISP"}
        width = max(map(len, changes), default=0)
        rows = self.definition.kind.attributes
        for word, (now, then) in changes.items():
            new = _mqsc_text(rows[word], then)
            change = new if now is None else f"{_mqsc_text(rows[word], now)} -> {new}"
            yield f"{INDENT}{word:<{width}}  {change}"

    def as_json(self) -> dict[str, Any]:
        changes = {word: {"old": now, "new": then} for word, (now, then) in self.changes.items()}
        kind = self.definition.kind.keyword
        of_group = {"disposition": self.definition.disposition} if self.definition.disposition else {}
        return {"action": self.action, "type": kind, "name": self.definition.name, **of_group, "changes": changes}


def differences(now: QueueManager, then: QueueManager) -> Iterator[Difference]:
    """The changes that turn the definitions of `now` into those of `then`, in the order of an export.

    Secrets are not compared, because they are never shown. Raises MQError 2059 when either is not running.
    """
    before, after = _definitions_by_key(now), _definitions_by_key(then)
    keys = sorted({*before, *after}, key=lambda each: _export_order(before.get(each) or after[each]))
    return (each for key in keys for each in _difference(before.get(key), after.get(key)))


def _definitions_by_key(qmgr: QueueManager) -> dict[DefinitionKey, Definition]:
    return {each.key: each for kind in kinds_in_order() for each in definitions(qmgr, kind)}


_RANKS = {kind.keyword: rank for rank, kind in enumerate(kinds_in_order())}


def _export_order(definition: Definition) -> tuple[int, DefinitionKey]:
    return _RANKS[definition.kind.keyword], definition.key


def _difference(now: Definition | None, then: Definition | None) -> Iterator[Difference]:
    if now is not None and (then is None or not now.is_like(then)):
        yield Difference("DELETE", now, {})
    if then is None:
        return
    if now is None or not now.is_like(then):
        base = dict(defaults(then.kind, then.subtype))
        # The subtype is always listed.
        base.pop(then.kind.selector, None)
        yield Difference("CREATE", then, {word: (None, value) for word, value in _unlike(base, then.values)})
        return
    changes = {word: (now.values.get(word), value) for word, value in _unlike(now.values, then.values)}
    if changes:
        yield Difference("UPDATE", then, changes)


def _unlike(base: Mapping[str, Stored], values: Mapping[str, Stored]) -> Iterator[tuple[str, Stored]]:
    return ((word, value) for word, value in values.items() if base.get(word) != value)


def _mqsc_text(row: Attribute, stored: Stored) -> str:
    values = parameter(row, stored).values
    if values is None:
        return str(stored)
    quoted = ("'" + value.text.replace("'", "''") + "'" if value.quoted else value.text for value in values)
    return ",".join(quoted)
