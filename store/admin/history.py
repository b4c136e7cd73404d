"""The history as agents beside a queue manager use it: they append events, and ask how often a message was moved."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from store.descriptor import NO_ID, MessageDescriptor
from store.engine.history import on_object_of
from store.engine.state import QueueManagerState
from store.published import KINDS
from store.sql import history, queues
from store.sqlite.database import Reading

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

    `columns` are columns of the history; `application` and `user` default to those of the environment. ValueError for a
    cause or a key of `detail` that the kind does not have; MQError 2058 when the queue manager was deleted.

    `of_owner`: an event about a shared queue belongs to the group, as those of the queue itself do, and a dead letter
    to the owner of the dead-letter queue, its target.
    """
    known = KINDS[kind]
    strange = {cause} - set(known.causes) | set(detail) - set(known.detail)
    if strange:
        raise ValueError(f"{kind} has no {', '.join(sorted(strange))}")
    with qmgr.transaction(running=False) as (tx, call):
        text = json.dumps(detail, ensure_ascii=False) if detail else None
        event = call.event(kind, **{"cause": cause, "detail": text, **columns})
        if of_owner and call.qmgr.sharing_group:
            queue = queues.visible(tx, call.qmgr, columns["target" if kind == "DEAD_LETTER" else "queue"])
            event = event if queue is None else on_object_of(call, queue.owner, event)
        history.append(tx, event)


def times_moved(
    qmgr: QueueManagerState,
    queue: str,
    descriptor: MessageDescriptor,
    *,
    target: str | None = None,
    last: int | None = None,
) -> int:
    """How often a message with these MsgId and CorrelId was moved on from that local queue before this one arrived.

    REQUEUE and FORWARD count, whatever their cause; only those to `target`, and only up to event number `last`, if they
    are given.
    """
    correl_id = None if descriptor.correl_id == NO_ID else descriptor.correl_id
    bounds = {"until": descriptor.put_at, "last": last}
    manager = qmgr.row()
    with Reading(qmgr.store.database) as reading:
        found = queues.visible(reading, manager, queue) if manager.sharing_group else None
        return history.times_moved(
            reading,
            qmgr.name if found is None else found.owner,
            queue,
            descriptor.msg_id,
            correl_id,
            target=target,
            **{name: value for name, value in bounds.items() if value is not None},
        )


def last_event(qmgr: QueueManagerState) -> int:
    """The number of the last event of the store."""
    with Reading(qmgr.store.database) as reading:
        return history.bound(reading)[0]
