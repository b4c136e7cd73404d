"""ALTER, and what DEFINE with REPLACE does to an object that exists."""

from __future__ import annotations

from store.admin.definitions import (
    Attributes,
    complete,
    differences,
    find,
    hot_columns,
    record,
    secrets,
    subtype_of,
    without_secrets,
)
from store.admin.recovering import despite_dead_processes
from store.catalog import KINDS, Kind
from store.constants import MQRC, MQRCCF
from store.engine import triggering
from store.engine.call_context import CallContext
from store.engine.deliver import deliver
from store.engine.state import QueueManagerState
from store.error import MQError
from store.rules.conflicts import conflict
from store.rules.force import Changes, Hold, has_marked, needs_force
from store.sql import connections, messages, object_use, objects, queue_managers, queues
from store.sql.objects import ObjectRow
from store.sql.rows import QueueRow
from store.sqlite.database import Transaction

QMGR = KINDS["QMGR"]


def change(qmgr: QueueManagerState, kind: Kind, name: str, given: Attributes, *, force: bool = False) -> None:
    """ALTER: write the given attributes of an object of exactly that kind; the others stay.

    MQError 2085 (4032 for a channel) when it is missing, 4002 when it is of another type, 3088 or 3090 when attributes
    conflict, 3210 when the change needs FORCE. With FORCE handles that were open answer 2041 from then on.
    """
    despite_dead_processes(qmgr.store, lambda: _change(qmgr, kind, name, given, force))


def _change(qmgr: QueueManagerState, kind: Kind, name: str, given: Attributes, force: bool) -> None:
    with Transaction(qmgr.store.database, durable=False) as tx:
        call = qmgr.call_context(tx)
        existing = find(tx, qmgr.name, kind, name, subtype_of(kind, given))
        after = {**complete(kind, existing.attributes), **without_secrets(kind, given)}
        rewrite(tx, call, kind, existing, after, frozenset(given), force=force)


def rewrite(
    tx: Transaction,
    call: CallContext,
    kind: Kind,
    existing: ObjectRow,
    after: Attributes,
    given: frozenset[str],
    *,
    force: bool = False,
    event: str = "ALTER",
    cause: str | None = None,
) -> None:
    """Write the attributes that an object has from now on; trigger occasions that this raises are settled (T §4).

    Only an ALTER changes ALTDATE and ALTTIME; MQSET, which the history knows as SET, does not.
    """
    if reason := conflict(kind, after):
        raise MQError(reason, existing.name)
    before = complete(kind, existing.attributes)
    # A secret that was given may be another one: what is stored of it cannot tell.
    hidden = {word: (before[word], after[word]) for word in given & secrets(kind) if after[word]}
    changes = {**differences(before, after), **hidden}
    altered_at = call.now if event == "ALTER" else existing.altered_at
    objects.replace_attributes(tx, existing.id, after, altered_at)
    record(tx, call, event, kind, existing.name, changes, cause)
    if kind.namespace == "queue":
        _rewrite_queue(tx, call, kind, existing.name, after, changes, given, force)


def _rewrite_queue(
    tx: Transaction,
    call: CallContext,
    kind: Kind,
    name: str,
    after: Attributes,
    changes: Changes,
    given: frozenset[str],
    force: bool,
) -> None:
    queue = _queue(tx, call, name)
    # Given ones too: a column that something else has changed meanwhile comes back in step.
    hot = hot_columns(kind, after, given | frozenset(changes))
    if has_marked(kind, changes) and needs_force(kind, changes, _hold_on(tx, queue)):
        if not force:
            raise MQError(MQRCCF.OBJECT_OPEN_FORCE, name)
        hot["generation"] = queue.generation + 1
    if hot:
        queues.set_columns(tx, queue.id, hot)
        deliver(tx, call, triggering.attributes_changed(tx, call, queue, _queue(tx, call, name)))


def _hold_on(tx: Transaction, queue: QueueRow) -> Hold:
    return Hold(
        queues.handles_of_all(tx, queue.id)[0],
        connections.is_in_use(tx, queue.id),
        bool(queue.depth or messages.uncommitted_on_queue(tx, queue.id)),
        object_use.is_resolved_as_manager_alias(tx, queue.id),
    )


def _queue(tx: Transaction, call: CallContext, name: str) -> QueueRow:
    found = queues.by_name(tx, call.qmgr.name, name)
    if found is None:
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, name)
    return found


def change_queue_manager(qmgr: QueueManagerState, given: Attributes, *, force: bool = False) -> None:
    """ALTER QMGR: all of the given attributes or none; no attribute at all changes nothing.

    MQError 3089 for REPOS beside REPOSNL, 3175 for LOGGEREV(ENABLED), 4005 for a DEFXMITQ that is refused, 3210 when
    DEFXMITQ changes under an open remote queue without FORCE. With FORCE those handles answer 2041 from then on.
    """
    despite_dead_processes(qmgr.store, lambda: _change_queue_manager(qmgr, given, force))


def _change_queue_manager(qmgr: QueueManagerState, given: Attributes, force: bool) -> None:
    with Transaction(qmgr.store.database, durable=False) as tx:
        call = qmgr.call_context(tx)
        if not given:
            return
        existing = find(tx, qmgr.name, QMGR, qmgr.name)
        before = complete(QMGR, existing.attributes)
        after = {**before, **without_secrets(QMGR, given)}
        if "DEFXMITQ" in differences(before, after):
            _leave_default_transmission_queue(tx, call, str(before["DEFXMITQ"]), force)
        rewrite(tx, call, QMGR, existing, after, frozenset(given))
        hot = hot_columns(QMGR, after, frozenset(given))
        if hot:
            queue_managers.set_columns(tx, qmgr.name, hot)


def _leave_default_transmission_queue(tx: Transaction, call: CallContext, name: str, force: bool) -> None:
    queue = queues.by_name(tx, call.qmgr.name, name) if name else None
    if queue is None:
        return
    for number in object_use.resolved_by_default(tx, call.qmgr.name, queue.id, name):
        if not force:
            raise MQError(MQRCCF.OBJECT_OPEN_FORCE, call.qmgr.name)
        passed = queues.by_id(tx, number, call.qmgr.name)
        if passed is not None:
            queues.set_columns(tx, number, {"generation": passed.generation + 1})
