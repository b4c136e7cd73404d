"""Records that belong to a profile: kept and removed, with the difference in the history."""

from typing import Any

from mqsc.store.catalog import Kind, Stored
from mqsc.store.engine import configuration_event, definitions
from mqsc.store.engine.definitions import (
    Attributes,
    Defined,
    complete,
    differences,
    object_row,
    record,
    record_name,
)
from mqsc.store.engine.state import CallContext
from mqsc.store.sql import objects
from mqsc.store.sql.objects import ObjectRow
from mqsc.store.sqlite.database import Transaction


def list_of(attributes: Attributes, word: str) -> list[str]:
    """A list attribute, empty when it is not there."""
    found = attributes.get(word, [])
    return list(found) if isinstance(found, list) else [str(found)]


def keep_record(
    tx: Transaction,
    call: CallContext,
    kind: Kind,
    profile: str,
    after: Attributes,
    existing: ObjectRow | None,
) -> None:
    """Store a record, replacing the existing one; the history records the differences."""
    if existing is not None:
        before: Attributes = complete(kind, existing.attributes)
        objects.replace_attributes(tx, existing.id, after, call.now)
    else:
        before = {
            word: value
            for word, value in definitions.shipped(kind).items()
            if word not in kind.identity
        }
        row = object_row(kind, call.qmgr.name, profile, after, call.now)
        objects.add(tx, row)
    changes = differences(before, after)
    if existing is None:
        changes = {
            word: (None, value) for word, (_, value) in changes.items() if value not in ("", [])
        }
    # The attributes of a new record tell it from others.
    identity = (
        {word: after[word] for word in kind.identity if after.get(word)} if existing else None
    )
    record(tx, call, "SET", Defined(kind.keyword, profile, identity=identity), changes, "command")
    if existing is None:
        configuration_event.created(tx, call, kind, record_name(kind, profile, after), after)
    else:
        configuration_event.changed(tx, call, existing, after, call.now)


def drop_record(
    tx: Transaction,
    call: CallContext,
    kind: Kind,
    profile: str,
    existing: ObjectRow,
    *,
    with_object: bool = False,
) -> None:
    """Remove a record; the history records its attributes. A record that goes with its object
    has no event.
    """
    objects.remove(tx, existing.id)
    held: dict[str, tuple[Stored | None, Any]] = {
        word: (value, None)
        for word, value in complete(kind, existing.attributes).items()
        if value not in ("", [])
    }
    record(tx, call, "DELETE", Defined(kind.keyword, profile), held)
    if not with_object:
        configuration_event.deleted(tx, call, existing)
