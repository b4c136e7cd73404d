"""Dynamic queues are deleted, and queues with their definitions removed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mqsc.store.engine import configuration_event
from mqsc.store.engine.definitions import beside_attributes
from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import CallContext
from mqsc.store.rules import object_events
from mqsc.store.sql import connections, messages, objects, queues, units_of_work
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Transaction

_NOTHING: Mapping[str, Any] = {}


def is_needed(tx: Transaction, queue: QueueRow) -> bool:
    """Whether handles are open on it, or a unit in doubt holds messages of it."""
    return connections.is_in_use(tx, queue.id) or units_of_work.in_doubt_hold_messages_of(
        tx, queue.id
    )


def delete_dynamic(tx: Transaction, call: CallContext, queue: QueueRow) -> None:
    """Delete a dynamic queue with all its messages.

    While other handles are open, or a unit in doubt holds messages of it, it is only marked as
    deleted.
    """
    if is_needed(tx, queue):
        queues.set_columns(tx, queue.id, {"logically_deleted": 1, "creator": None})
        return
    got = units_of_work.got_on_queue(tx, queue.id)
    gone = messages.clear(tx, queue.id)
    if gone:
        about = {"owner": queue.owner, "queue": queue.name, "target": queue.type}
        record_event(
            tx,
            call,
            "CLEAR",
            cause="dynamic",
            **about,
            detail={"messages": gone, **({"got": got} if got else {})},
        )
    remove_queue(tx, call, queue, gone, cause="dynamic")
    # The record of the creator goes with the queue.
    for row in objects.records_of(tx, call.qmgr.name, "authrec", queue.name):
        if row.attributes["OBJTYPE"] == "QUEUE":
            objects.remove(tx, row.id)


def remove_queue(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    cleared: int,
    *,
    cause: str | None = None,
    was: Mapping[str, Any] = _NOTHING,
) -> None:
    """Remove an empty queue and its definition; the history records its attributes (`was`) and
    the messages cleared.
    """
    definition = objects.by_name(tx, queue.owner, "queue", queue.name)
    if definition is not None:
        objects.remove(tx, definition.id)
    queues.remove(tx, queue.id)
    beside = beside_attributes(call, definition.disposition) if definition is not None else {}
    about = {"owner": queue.owner, "queue": queue.name, "target": queue.type}
    record_event(
        tx,
        call,
        "DELETE",
        cause=cause,
        **about,
        detail={"messages": cleared, **beside, **was},
    )
    if definition is not None:
        origin = object_events.INTERNAL if cause == "dynamic" else object_events.CONSOLE
        configuration_event.deleted(tx, call, definition, origin=origin)
