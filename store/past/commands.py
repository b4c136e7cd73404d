"""Recorded commands, performed again on a copy of the store (`store.past.replay`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from typing import Any

from mqsc.store.admin import (
    clearing,
    deleting,
    expiry,
    moving,
    queue_managers,
    sharing_groups,
    starting,
)
from mqsc.store.admin.defining import define
from mqsc.store.catalog import KINDS, Kind, columns
from mqsc.store.constants import MQRC
from mqsc.store.engine import definitions, expiry_owner
from mqsc.store.engine.attribute_change import Change, rewrite
from mqsc.store.engine.state import QueueManagerState, StoreState
from mqsc.store.error import required
from mqsc.store.past.calls import RecordedCall, changed_attributes, member_of
from mqsc.store.past.put_again import ask_when_moved
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.store.sql import connections, history, managers, objects, queues
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.queries import Queries

# Kind, name and keyword of attributes that recorded commands leave as they are.
Kept = Set[tuple[str, str, str]]


def row_of(event: TracedEvent) -> dict[str, Any]:
    """The event as a row of the history, to be recorded again."""
    row = event._asdict()
    del row["seq"]
    return {**row, "detail": event.detail or None}


def note(copy: StoreState, call: RecordedCall, _: Kept = frozenset()) -> None:
    """Record the events alone: of a clock, which shows the time already, and of what happened
    outside the store.
    """
    with Transaction(copy.database, durable=False) as tx:
        for event in call.events:
            history.append(tx, row_of(event))


def queue_of(tx: Queries, event: TracedEvent) -> Any:
    """The queue that an event is about, None if no queue has that name."""
    return queues.by_name(tx, event.qmgr, event.queue or "")


def _at(copy: StoreState, event: TracedEvent) -> QueueManagerState:
    return QueueManagerState(copy, member_of(event))


def _kind(event: TracedEvent) -> Kind | None:
    """The kind of object; None for records, which do not matter to messages."""
    kind = KINDS.get(event.target or "QLOCAL")
    return None if kind is None or kind.identity or kind.keyword == "AUTHREC" else kind


def _disposition(event: TracedEvent, kind: Kind) -> str:
    is_shared = kind.namespace == "queue" and member_of(event) != event.qmgr
    return str(event.detail.get("disposition", "SHARED" if is_shared else "QMGR"))


def _define(copy: StoreState, call: RecordedCall, _: Kept) -> None:
    event, kind = call.event, _kind(call.event)
    if kind is None:
        note(copy, call)
        return
    defined = {word: after for word, (_, after) in changed_attributes(event.detail).items()}
    attributes = {**definitions.shipped(kind, definitions.subtype_of(kind, defined)), **defined}
    how = {"disposition": _disposition(event, kind), "cause": event.cause}
    with _at(copy, event).transaction() as (tx, context):
        define(tx, context, kind, event.queue or "", attributes, **how)  # type: ignore[arg-type]


def _change(copy: StoreState, call: RecordedCall, kept: Kept) -> None:
    event = call.event
    kind = _kind(call.event)
    name = call.event.queue or ""
    changes = changed_attributes(event.detail)
    words = {word for word in changes if (event.target or "", name, word) not in kept}
    if kind is None or not words:
        note(copy, call)
        return
    with _at(copy, event).transaction() as (tx, context):
        spaces = definitions.namespaces(kind)
        definition = next(
            filter(None, (objects.by_name(tx, event.qmgr, where, name) for where in spaces)),
            None,
        )
        definition = required(definition, MQRC.UNKNOWN_OBJECT_NAME, name)
        before = definitions.complete(kind, definition.attributes)
        after = {**before, **{word: changes[word][1] for word in words}}
        rewrite(
            tx,
            context,
            definition,
            Change(before, after, frozenset(words), True, event.kind, event.cause),
        )
        if kind.keyword == "QMGR":
            managers.set_columns(
                tx,
                event.qmgr,
                columns(kind, {word: after[word] for word in words}),
            )
            expiry_owner.settle_expiry_owner(tx, context, "alter")


def _delete(copy: StoreState, call: RecordedCall, _: Kept) -> None:
    event, kind = call.event, _kind(call.event)
    if kind is None:
        note(copy, call)
        return
    purged = any(event.kind == "CLEAR" for event in call.before)
    client = changed_attributes(event.detail).get("CHLTYPE", [None])[0] == "CLNTCONN"
    disposition = _disposition(event, kind)
    deleting.delete(
        _at(copy, event),
        kind,
        event.queue or "",
        purge=purged,
        with_authority=False,
        client=client,
        disposition=disposition,
    )


def _private_or_shared(event: TracedEvent) -> str:
    return "SHARED" if member_of(event) != event.qmgr else "PRIVATE"


def _clear(copy: StoreState, call: RecordedCall, _: Kept) -> None:
    event = call.event
    clearing.clear(_at(copy, event), event.queue or "", disposition=_private_or_shared(event))


def _move(copy: StoreState, call: RecordedCall, _: Kept) -> None:
    event = call.event
    here = _private_or_shared(event)
    with Transaction(copy.database, durable=False) as tx:
        queue = queue_of(tx, event)
        if queue is not None:
            ask_when_moved(tx, queue.id, call)
    moving.move(
        _at(copy, event),
        event.queue or "",
        event.target or "",
        add=True,
        disposition=here,
    )


def _scan(copy: StoreState, call: RecordedCall, _: Kept) -> None:
    """A scan every EXPRYINT seconds visits all queues; of REFRESH, only those are known where
    something had expired.
    """
    cause, qmgr = call.event.cause or "", _at(copy, call.event)
    if cause == "interval":
        queues_to_scan: list[Any] = [*expiry.expiring_queues(qmgr, cause)]
    else:
        with Reading(copy.database) as reading:
            distinct = {(event.qmgr, event.queue): event for event in call.events}
            queues_to_scan = [queue_of(reading, each) for each in distinct.values()]
    for queue in filter(None, queues_to_scan):
        expiry.scan_queue(qmgr, queue, cause)


def _create(copy: StoreState, call: RecordedCall, _: Kept) -> None:
    group = next((event.target for event in call.caused if event.kind == "JOIN"), None)
    queue_managers.create_queue_manager(copy, call.event.qmgr, group=group or "")


def _end(copy: StoreState, call: RecordedCall, _: Kept) -> None:
    is_immediate = call.event.cause == "immediate"
    if not is_immediate:
        # They have disconnected, which the history does not say.
        with Transaction(copy.database, durable=False) as tx:
            for each in connections.of_queue_manager(tx, call.event.qmgr):
                connections.drop(tx, each.id)
    starting.end(_at(copy, call.event), immediate=is_immediate)


# What performs the command of a call, by its kind; the errors are those of the command.
COMMANDS: Mapping[str, Callable[[StoreState, RecordedCall, Kept], object]] = {
    "scan": _scan,
    "clock": note,
    "define": _define,
    "change": _change,
    "delete": _delete,
    "clear": _clear,
    "move": _move,
    "create": _create,
    "end": _end,
    "join": lambda copy, call, _: sharing_groups.join_group(
        copy,
        call.event.qmgr,
        call.event.target or "",
    ),
    "leave": lambda copy, call, _: sharing_groups.leave_group(copy, call.event.qmgr),
    "start": lambda copy, call, _: starting.start(_at(copy, call.event)),
}
