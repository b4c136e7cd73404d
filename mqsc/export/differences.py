"""What is different between the definitions of two queue managers, object by object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mqsc.export.definition import Definition, Key, defaults_of, definitions, kinds_in_order
from mqsc.export.script import parameter
from store.catalog import Attribute, Stored

if TYPE_CHECKING:
    from store.client.api import QueueManager

INDENT = " " * 11


@dataclass(frozen=True, slots=True)
class Difference:
    """What would become of one object: CREATE, UPDATE or DELETE.

    `changes` are keyword → (value now, value then): None for now when the object is not there; then its subtype and
    what differs from the shipped defaults are listed.
    """

    action: str
    definition: Definition
    changes: Mapping[str, tuple[Stored | None, Stored]]

    def lines(self) -> Iterator[str]:
        """The difference as text: the object, then a line for each attribute."""
        yield f"{self.action:<9}  {self.definition.title}"
        width = max((len(word) for word in self.changes), default=0)
        rows = self.definition.kind.attributes
        for word, (now, then) in self.changes.items():
            told = (
                _shown(rows[word], then) if now is None else f"{_shown(rows[word], now)} -> {_shown(rows[word], then)}"
            )
            yield f"{INDENT}{word:<{width}}  {told}"

    def as_json(self) -> dict[str, Any]:
        """The difference as an object of JSON, a change as {"old": ..., "new": ...}."""
        changes = {word: {"old": now, "new": then} for word, (now, then) in self.changes.items()}
        kind = self.definition.kind.keyword
        return {"action": self.action, "type": kind, "name": self.definition.name, "changes": changes}


def differences(now: QueueManager, then: QueueManager) -> Iterator[Difference]:
    """What must happen to the definitions of `now` to be those of `then`, in the order of an export.

    Secrets are not compared: nobody is shown them. MQError 2059 when one of the two does not run.
    """
    before, after = _state(now), _state(then)
    keys = sorted({*before, *after}, key=lambda each: _place(before.get(each) or after[each]))
    return (each for key in keys for each in _difference(before.get(key), after.get(key)))


def _state(qmgr: QueueManager) -> dict[Key, Definition]:
    return {each.key: each for kind in kinds_in_order() for each in definitions(qmgr, kind)}


_RANKS = {kind.keyword: rank for rank, kind in enumerate(kinds_in_order())}


def _place(definition: Definition) -> tuple[int, Key]:
    return _RANKS[definition.kind.keyword], definition.key


def _difference(now: Definition | None, then: Definition | None) -> Iterator[Difference]:
    if now is not None and (then is None or not now.is_like(then)):
        yield Difference("DELETE", now, {})
    if then is None:
        return
    if now is None or not now.is_like(then):
        base = dict(defaults_of(then.kind, then.subtype))
        # Nobody could tell what it is without its subtype.
        base.pop(then.kind.selector, None)
        yield Difference("CREATE", then, {word: (None, value) for word, value in _unlike(base, then.values)})
        return
    changes = {word: (now.values.get(word), value) for word, value in _unlike(now.values, then.values)}
    if changes:
        yield Difference("UPDATE", then, changes)


def _unlike(base: Mapping[str, Stored], values: Mapping[str, Stored]) -> Iterator[tuple[str, Stored]]:
    return ((word, value) for word, value in values.items() if base.get(word) != value)


def _shown(row: Attribute, stored: Stored) -> str:
    """A value as MQSC writes it."""
    values = parameter(row, stored).values
    if values is None:
        return str(stored)
    quoted = ("'" + value.text.replace("'", "''") + "'" if value.quoted else value.text for value in values)
    return ",".join(quoted)
