"""Changes of attributes: their effects (triggers, events, columns)."""

from msgspec import Struct

from mqsc.store.catalog import KINDS, columns
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.engine import (
    configuration_event,
    coupling_structures,
    subscription_definitions,
    subscription_end,
    triggering,
)
from mqsc.store.engine.attribute_conflicts import check_conflicts
from mqsc.store.engine.definitions import Attributes, Defined, differences, record, secrets
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.state import CallContext
from mqsc.store.error import refuse_if, required
from mqsc.store.rules import forced_changes, object_events
from mqsc.store.rules.forced_changes import Changes, QueueUse
from mqsc.store.rules.sharing import GROUP, structure_of
from mqsc.store.sql import connections, objects, queues, units_of_work
from mqsc.store.sql.objects import ObjectRow
from mqsc.store.sql.queues import QueueBeforeChange
from mqsc.store.sqlite.database import Transaction


class Change(Struct, frozen=True):
    """A change of an object: all its attributes before and after, and those that were given, even
    with the same values.

    Only ALTER changes ALTDATE and ALTTIME; MQSET, recorded as SET, does not. `force` is FORCE of
    ALTER.
    """

    before: Attributes
    after: Attributes
    keywords: frozenset[str]
    force: bool = False
    event: str = "ALTER"
    cause: str | None = None


def rewrite(tx: Transaction, call: CallContext, existing: ObjectRow, change: Change) -> None:
    """Write an object's new attributes, and deliver the trigger messages that the change raises
    (triggering §4).
    """
    kind = KINDS[existing.type]
    owner = existing.owner
    is_master = existing.disposition == GROUP
    before, after = change.before, change.after
    changes = differences(before, after)
    around, words = owner if is_master else call.qmgr.name, change.keywords | changes.keys()
    check_conflicts(tx, around, kind, existing.name, after, words)
    if owner != call.qmgr.name and not is_master:
        coupling_structures.check_structure_rewrite(tx, kind, existing, before, after)
    # A secret that was given may be a new one: its stored form does not show it.
    for word in change.keywords & secrets(kind):
        if after[word]:
            changes[word] = before[word], after[word]
    altered_at = call.now if change.event == "ALTER" else existing.altered_at
    objects.replace_attributes(tx, existing.id, after, altered_at)
    about = Defined(existing.type, existing.name, owner, existing.disposition)
    record(tx, call, change.event, about, changes, change.cause)
    if kind.keyword == "CFSTRUCT":
        coupling_structures.tell_queues(tx, owner, existing.name, structure_of(after))
    if kind.keyword == "SUB":
        subscription_definitions.rewritten(tx, call, existing.name, before, after)
    if kind.keyword == "TOPIC" or (kind.keyword == "QMGR" and "PSMODE" in changes):
        subscription_end.changed(tx, call)
    if kind.namespace == "queue" and not is_master:
        _rewrite_queue(tx, call, existing, change, changes)
    origin = object_events.SET if change.event == "SET" else object_events.CONSOLE
    configuration_event.changed(tx, call, existing, after, altered_at, origin=origin)


def _rewrite_queue(
    tx: Transaction,
    call: CallContext,
    existing: ObjectRow,
    change: Change,
    changes: Changes,
) -> None:
    queue = required(
        queues.before_change(tx, existing.owner, existing.name),
        MQRC.UNKNOWN_OBJECT_NAME,
        existing.name,
    )
    # Attributes that were given are written too: this repairs a column that was changed by
    # something else.
    kind = KINDS[existing.type]
    hot = columns(kind, change.after, change.keywords | changes.keys())
    if (
        changes
        and forced_changes.has_marked(kind, changes)
        and forced_changes.needs_force(kind, changes, _use_of(tx, queue))
    ):
        refuse_if(not change.force, MQRCCF.OBJECT_OPEN_FORCE, existing.name)
        hot["generation"] = queue.generation + 1
    may_trigger = bool(
        {each for each in triggering.COLUMNS & hot.keys() if hot[each] != getattr(queue, each)},
    )
    before = queues.by_id(tx, queue.id, call.qmgr.name) if may_trigger else None
    if hot:
        queues.set_columns(tx, queue.id, hot)
    after = queues.by_id(tx, queue.id, call.qmgr.name) if may_trigger else None
    if before is not None and after is not None:
        deliver(tx, call, triggering.attributes_changed(tx, call, before, after))


def _use_of(tx: Transaction, queue: QueueBeforeChange) -> QueueUse:
    return QueueUse(
        queues.handles_of_all(tx, queue.id)[0],
        connections.is_in_use(tx, queue.id),
        bool(queue.depth or units_of_work.uncommitted_on_queue(tx, queue.id)),
        objects.is_resolved_as_manager_alias(tx, queue.id),
    )
