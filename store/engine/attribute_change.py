"""A change of attributes, by ALTER, DEFINE REPLACE or MQSET: its rows, its history, and the triggers it raises."""

from __future__ import annotations

from store.catalog import Kind, columns
from store.constants import MQRC, MQRCCF
from store.engine import configuration_events, structures, triggering
from store.engine.call_context import CallContext
from store.engine.definition_conflicts import check_conflicts
from store.engine.definitions import Attributes, differences, record, secrets
from store.engine.deliver import deliver
from store.error import MQError
from store.rules import configuration_event
from store.rules.force import Changes, QueueUse, has_marked, needs_force
from store.rules.sharing import GROUP
from store.sql import connections, objects, queues, units_of_work
from store.sql.objects import ObjectRow
from store.sql.queues import QueueBeforeChange
from store.sql.rows import QueueRow
from store.sqlite.database import Transaction


def rewrite(
    tx: Transaction,
    call: CallContext,
    kind: Kind,
    existing: ObjectRow,
    before: Attributes,
    after: Attributes,
    given: frozenset[str],
    *,
    force: bool = False,
    event: str = "ALTER",
    cause: str | None = None,
) -> None:
    """Write an object's new attributes, and deliver the trigger messages that the change raises (triggering §4).

    `before` and `after` are all its attributes. Those that were given are written even if they are the same.
    Only ALTER changes ALTDATE and ALTTIME; MQSET, recorded as SET, does not.
    """
    changes = differences(before, after)
    owner, is_master = existing.owner, existing.disposition == GROUP
    check_conflicts(tx, owner if is_master else call.qmgr.name, kind, existing.name, after, given | changes.keys())
    if owner != call.qmgr.name and not is_master:
        structures.check_rewrite(tx, kind, existing, before, after)
    # A secret that was given may be a new one: its stored form does not show it.
    for word in given & secrets(kind):
        if after[word]:
            changes[word] = before[word], after[word]
    altered_at = call.now if event == "ALTER" else existing.altered_at
    objects.replace_attributes(tx, existing.id, after, altered_at)
    record(tx, call, event, kind, existing.name, changes, cause, owner=owner, disposition=existing.disposition)
    if kind.keyword == "CFSTRUCT":
        structures.defined(tx, owner, existing.name, after)
    if kind.namespace == "queue" and not is_master:
        _rewrite_queue(tx, call, kind, existing, after, changes, given, force)
    origin = configuration_event.SET if event == "SET" else configuration_event.CONSOLE
    configuration_events.changed(tx, call, existing, after, altered_at, origin=origin)


def _rewrite_queue(
    tx: Transaction,
    call: CallContext,
    kind: Kind,
    existing: ObjectRow,
    after: Attributes,
    changes: Changes,
    given: frozenset[str],
    force: bool,
) -> None:
    queue = queues.before_change(tx, existing.owner, existing.name)
    if queue is None:
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, existing.name)
    # Attributes that were given are written too: this repairs a column that was changed by something else.
    hot = columns(kind, after, given | changes.keys())
    if changes and has_marked(kind, changes) and needs_force(kind, changes, _use_of(tx, queue)):
        if not force:
            raise MQError(MQRCCF.OBJECT_OPEN_FORCE, existing.name)
        hot["generation"] = queue.generation + 1
    if {column for column in triggering.COLUMNS & hot.keys() if hot[column] != getattr(queue, column)}:
        before = _row(tx, call, queue)
        queues.set_columns(tx, queue.id, hot)
        deliver(tx, call, triggering.attributes_changed(tx, call, before, _row(tx, call, queue)))
    elif hot:
        queues.set_columns(tx, queue.id, hot)


def _use_of(tx: Transaction, queue: QueueBeforeChange) -> QueueUse:
    return QueueUse(
        queues.handles_of_all(tx, queue.id)[0],
        connections.is_in_use(tx, queue.id),
        bool(queue.depth or units_of_work.uncommitted_on_queue(tx, queue.id)),
        objects.is_resolved_as_manager_alias(tx, queue.id),
    )


def _row(tx: Transaction, call: CallContext, queue: QueueBeforeChange) -> QueueRow:
    row = queues.by_id(tx, queue.id, call.qmgr.name)
    assert row is not None
    return row
