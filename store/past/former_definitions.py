"""Definitions in the past: what later events did is undone, the last one first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from mqsc.store.catalog import KINDS, Kind, columns
from mqsc.store.engine.coupling_structures import CFSTRUCT, tell_queues
from mqsc.store.engine.definitions import (
    complete,
    namespaces,
    object_row,
    queue_row,
    record_name,
    shipped,
    subtype_of,
)
from mqsc.store.engine.dynamic_queues import DEFINITION_TYPES
from mqsc.store.environment import PASSWORD_COST
from mqsc.store.error import DamagedStoreError
from mqsc.store.past.calls import changed_attributes
from mqsc.store.past.clocks import Moment
from mqsc.store.rules.authorization import AUTO
from mqsc.store.rules.sharing import structure_of
from mqsc.store.sql import connections, managers, objects, past, queues
from mqsc.store.sql.messages import clear
from mqsc.store.sql.objects import ObjectRow
from mqsc.store.sql.past import ObjectEvent
from mqsc.store.sql.rows import UserAccountRow
from mqsc.store.sqlite.database import Transaction

Changed = TypeVar("Changed")
# Owner, namespace or kind, and name of an object.
Key = tuple[str, str, str]


def take_back_definitions(tx: Transaction, moment: Moment, later: list[ObjectEvent]) -> None:
    first: dict[Key, str] = {}
    for event in later:
        first.setdefault((event.qmgr, event.type, event.name), event.kind)
    touched: dict[Key, None] = {}
    for event in reversed(later):
        kind = KINDS.get(event.type)
        # Of an object that was only defined later, such as most dynamic queues, nothing else needs
        # to be undone.
        is_new = first[(event.qmgr, event.type, event.name)] == "DEFINE" != event.kind
        if kind is not None and not is_new:
            touched.update(dict.fromkeys(_UNDO[event.kind](tx, kind, event)))
    present = [
        definition for key in touched if (definition := objects.by_name(tx, *key)) is not None
    ]
    for definition in present:
        _follow_definition(tx, definition)
    for definition in present:
        _follow_structure(tx, definition)
    _times(tx, moment, touched)


def _undo_definition(tx: Transaction, kind: Kind, event: ObjectEvent) -> list[Key]:
    values = {word: after for word, (_, after) in changed_attributes(event.told).items()}
    key = (
        event.qmgr,
        kind.namespace_of(subtype_of(kind, values)),
        record_name(kind, event.name, values),
    )
    past.remove_definition(tx, *key)
    queue = queues.by_name(tx, event.qmgr, event.name) if kind.namespace == "queue" else None
    if queue is not None:
        clear(tx, queue.id)
        queues.remove(tx, queue.id)
    return [key]


def _undo_deletion(tx: Transaction, kind: Kind, event: ObjectEvent) -> list[Key]:
    detail = event.told
    values = {word: before for word, (before, _) in changed_attributes(detail).items()}
    if event.cause == "dynamic":
        attributes = _of_model(tx, event)
    else:
        # Of an authority record only what was said is stored.
        attributes = {
            **({} if kind.keyword == "AUTHREC" else shipped(kind, subtype_of(kind, values))),
            **values,
        }
    is_shared = kind.namespace == "queue" and event.qmgr != detail.get("member", event.qmgr)
    disposition = detail.get("disposition", "SHARED" if is_shared else "QMGR")
    row = object_row(kind, event.qmgr, event.name, attributes, event.at, disposition=disposition)
    objects.add(tx, row)
    if kind.namespace == "queue" and disposition != "GROUP":
        row_of_queue = queue_row(kind, event.qmgr, event.name, attributes)
        type = DEFINITION_TYPES.get(str(attributes.get("DEFTYPE")))
        queues.add(tx, {**row_of_queue, "definition_type": type} if type else row_of_queue)
    return [(row["owner"], row["namespace"], row["name"])]


def _of_model(tx: Transaction, event: ObjectEvent) -> dict[str, Any]:
    """The attributes of a dynamic queue, of which its events say only from which model queue it
    was made.
    """
    member = event.told.get("member", event.qmgr)
    model = objects.by_name(
        tx,
        member,
        "queue",
        past.model_of(tx, event.qmgr, event.name, event.seq),
    )
    known = KINDS["QLOCAL"].attributes
    return {
        word: value for word, value in (model.attributes if model else {}).items() if word in known
    }


def _undo_change(tx: Transaction, kind: Kind, event: ObjectEvent) -> list[Key]:
    every = changed_attributes(event.told)
    pairs = {
        word: pair
        for word, pair in every.items()
        if word in kind.attributes or word in kind.identity
    }
    identity = event.told.get("record", {})
    if kind.identity and not identity:
        return _undo_definition(tx, kind, event)
    name = record_name(kind, event.name, identity)
    definition = next(
        (
            each
            for each in (objects.by_name(tx, event.qmgr, where, name) for where in namespaces(kind))
            if each
        ),
        None,
    )
    if definition is None:
        return []
    attributes = {**definition.attributes, **{word: before for word, (before, _) in pairs.items()}}
    present = {
        word: value for word, value in attributes.items() if value is not None or word not in pairs
    }
    objects.replace_attributes(tx, definition.id, present, definition.altered_at)
    return [(definition.owner, definition.namespace, definition.name)]


_UNDO = {
    "DEFINE": _undo_definition,
    "DELETE": _undo_deletion,
    "ALTER": _undo_change,
    "SET": _undo_change,
}


def _follow_definition(tx: Transaction, definition: ObjectRow) -> None:
    """Bring the columns that calls read in line with a definition."""
    kind = KINDS.get(definition.type)
    if kind is None:
        raise DamagedStoreError(
            f"{definition.name} is of no known type: {definition.type}; restore the store from "
            "a copy",
        )
    hot = columns(kind, complete(kind, definition.attributes))
    if kind.keyword == "QMGR":
        managers.set_columns(tx, definition.name, hot)
    elif kind.namespace == "queue" and definition.disposition != "GROUP":
        queue = queues.by_name(tx, definition.owner, definition.name)
        if queue is not None:
            queues.set_columns(tx, queue.id, hot)


def _follow_structure(tx: Transaction, definition: ObjectRow) -> None:
    """Bring what shared queues have of their structure in line with its definition."""
    kind = KINDS[definition.type]
    if kind.keyword == "CFSTRUCT":
        tell_queues(
            tx,
            definition.owner,
            definition.name,
            structure_of(complete(kind, definition.attributes)),
        )
    queue = (
        queues.by_name(tx, definition.owner, definition.name)
        if definition.disposition == "SHARED"
        else None
    )
    if queue is None:
        return
    name = str(complete(kind, definition.attributes)["CFSTRUCT"])
    queues.set_columns(tx, queue.id, {"structure": name})
    structure = objects.by_name(tx, definition.owner, CFSTRUCT.namespace, name)
    if structure is not None:
        tell_queues(
            tx, definition.owner, name, structure_of(complete(CFSTRUCT, structure.attributes))
        )


def _times(tx: Transaction, moment: Moment, touched: Mapping[Key, None]) -> None:
    """Give the objects that were touched the times at which they had been defined and altered."""
    times_of: dict[Key, tuple[int | None, int]] = {}
    for event in past.of_objects(tx, 1, moment.seq, ["DEFINE", "ALTER", "SET"]) if touched else ():
        kind = KINDS.get(event.type)
        name = event.name
        is_first = event.kind == "DEFINE"
        if kind is not None and kind.identity:
            identity = event.told.get("record")
            values = identity or {
                word: after for word, (_, after) in changed_attributes(event.told).items()
            }
            name, is_first = record_name(kind, name, values), identity is None
        elif event.kind == "SET":
            continue
        key = event.qmgr, event.type, name
        times_of[key] = event.at if is_first else times_of.get(key, (None, 0))[0], event.at
    for owner, namespace, name in touched:
        definition = objects.by_name(tx, owner, namespace, name)
        times = None if definition is None else times_of.get((owner, definition.type, name))
        if definition is not None and times:
            # A queue manager has no DEFINE.
            past.rewrite_times(
                tx, owner, namespace, name, times[0] or definition.created_at, times[1]
            )


def _undo_mode(tx: Transaction, event: ObjectEvent, before: str | None, after: str | None) -> None:
    managers.set_columns(tx, event.qmgr, {"authority_mode": "" if before == AUTO else before})


def _undo_os_groups(
    tx: Transaction,
    event: ObjectEvent,
    before: str | None,
    after: str | None,
) -> None:
    managers.set_columns(tx, event.qmgr, {"os_groups": int(before == "on")})


def _undo_user(tx: Transaction, event: ObjectEvent, before: str | None, after: str | None) -> None:
    if before is None:
        connections.remove_user(tx, event.type)
        return
    # The history has no passwords, and no password has this hash.
    is_administrator = int(before == "administrator")
    created_at = changed_at = event.at
    account = UserAccountRow(
        event.type,
        b"",
        b"",
        *PASSWORD_COST,
        is_administrator,
        created_at,
        changed_at,
    )
    connections.write_user(tx, account)


def _undo_group(tx: Transaction, event: ObjectEvent, before: str | None, after: str | None) -> None:
    if after is not None:
        connections.remove_from_group(tx, event.type, after)
    if before is not None:
        connections.add_to_group(tx, event.type, before)


UNDO_ACCESS: Mapping[str, Callable[[Transaction, ObjectEvent, str | None, str | None], None]] = {
    "mode": _undo_mode,
    "os-groups": _undo_os_groups,
    "user": _undo_user,
    "group": _undo_group,
}
