"""Single events of the history, recorded for agents and imports."""

from collections.abc import Iterable, Mapping
from typing import Any

from mqsc.store.descriptor import NO_ID, MessageDescriptor
from mqsc.store.engine.history import on_object_of
from mqsc.store.engine.state import QueueManagerState, StoreState
from mqsc.store.published import KINDS
from mqsc.store.sql import history, messages, queues
from mqsc.store.sqlite.database import Reading, Transaction

# For `record`.
OF_OWNER = True


def record(
    qmgr: QueueManagerState,
    kind: str,
    cause: str,
    of_owner: bool = False,
    /,
    *,
    detail: Mapping[str, Any],
    **columns: Any,
) -> None:
    """Append one event, in a transaction of its own; an ended queue manager still has a history.

    `columns` are those of the history; `application` and `user` default to those of the
    environment.
    ValueError for a cause or a key of `detail` that the kind does not have; MQError 2058 when the
    queue manager was deleted.

    `of_owner`: an event about a shared queue belongs to the group, as those of the queue itself do,
    and a dead letter to the owner of the dead-letter queue, its target.
    """
    known = KINDS[kind]
    strange = {cause} - set(known.causes) | set(detail) - set(known.detail)
    if strange:
        raise ValueError(f"{kind} has no {', '.join(sorted(strange))}")
    with qmgr.transaction(running=False) as (tx, call):
        event = call.event(kind, **{"cause": cause, "detail": detail or None, **columns})
        if of_owner and call.qmgr.sharing_group:
            queue = queues.visible(
                tx,
                call.qmgr,
                columns["target" if kind == "DEAD_LETTER" else "queue"],
            )
            event = event if queue is None else on_object_of(call, queue.owner, event)
        history.append(tx, event)


def times_moved(
    qmgr: QueueManagerState,
    queue: str,
    message: MessageDescriptor,
    *,
    target: str | None = None,
    last: int | None = None,
) -> int:
    """How often a message with these MsgId and CorrelId was moved on from that local queue before
    this one arrived.

    REQUEUE and FORWARD count, whatever their cause; only those to `target`, and only up to event
    number `last`, if they are given.
    """
    correl_id = None if message.correl_id == NO_ID else message.correl_id
    bounds = {"until": message.put_at, "last": last}
    known_bounds = {name: value for name, value in bounds.items() if value is not None}
    manager = qmgr.row()
    with Reading(qmgr.store.database) as reading:
        visible_queue = queues.visible(reading, manager, queue) if manager.sharing_group else None
        owner = qmgr.name if visible_queue is None else visible_queue.owner
        return history.times_moved(
            reading,
            owner,
            queue,
            message.msg_id,
            correl_id,
            target=target,
            **known_bounds,
        )


def set_backout_counts(
    store: StoreState,
    qmgr: str,
    queue: str,
    counts: Iterable[tuple[bytes, int]],
) -> None:
    """Set the backout counts of messages on a local queue, by MsgId, as they were where the
    messages come from.
    """
    with Transaction(store.database, durable=False) as tx:
        found = queues.visible(tx, QueueManagerState(store, qmgr).call_context(tx).qmgr, queue)
        if found is not None:
            for msg_id, backouts in counts:
                messages.set_backout_count(tx, found.id, msg_id, backouts)
