"""The net change to each object: several commands on one object may cancel each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from msgspec.structs import replace

from mqsc.plan import Action, Planned

# Type, name, disposition, member, and what distinguishes records of one name.
ObjectKey: TypeAlias = tuple[str, ...]
Changes: TypeAlias = Mapping[str, tuple[Any, Any]]
# The changes between the object as it is and as it would be, for one that is deleted and defined again.
Comparison: TypeAlias = Callable[[Planned], Changes]


def object_key(row: Planned) -> ObjectKey:
    return (row.type, row.name, row.disposition, row.member, *row.record)


def net_changes(rows: Iterable[Planned], compared: Comparison) -> dict[ObjectKey, Planned]:
    """One row for each object, at the place of its first, with all its changes together; errors are left out."""
    of_object: dict[ObjectKey, list[Planned]] = {}
    for row in rows:
        of_object.setdefault(object_key(row), []).append(row)
    return {key: _net(found, compared) for key, found in of_object.items()}


def _net(rows: list[Planned], compared: Comparison) -> Planned:
    first = rows[0]
    changing = [row for row in rows if row.action is not Action.UNCHANGED] or rows[:1]
    is_new, is_gone = changing[0].action is Action.CREATE, changing[-1].action is Action.DELETE
    if is_gone:
        return replace(changing[-1], action=Action.UNCHANGED if is_new else Action.DELETE, changes={})
    is_recreated = any(row.action is Action.DELETE for row in rows)
    changes = compared(first) if is_recreated and not is_new else _together(rows)
    if is_new:
        changes, action = {word: (None, new) for word, (_, new) in changes.items()}, Action.CREATE
    else:
        changes = {word: (old, new) for word, (old, new) in changes.items() if old != new}
        action = Action.UPDATE if changes else Action.UNCHANGED
    inherited = {word: source for word, source in _inherited(rows).items() if word in changes}
    return replace(first, action=action, changes=changes, messages=None, inherited=inherited)


def _together(rows: Iterable[Planned]) -> Changes:
    together: dict[str, tuple[Any, Any]] = {}
    for row in rows:
        for word, (old, new) in row.changes.items():
            together[word] = (together[word][0] if word in together else old, new)
    return together


def _inherited(rows: Iterable[Planned]) -> dict[str, str]:
    """The default object that the last change of an attribute took it from, if it did."""
    sources = {word: row.inherited.get(word, "") for row in rows for word in row.changes}
    return {word: source for word, source in sources.items() if source}
