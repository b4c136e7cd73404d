"""DELETE: remove an object that nobody uses; of a queue only what PURGE allows goes with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.admin.clearing import BATCH, remove_batch, unused_queue
from store.admin.definitions import find
from store.admin.recovering import despite_dead_processes
from store.catalog import Kind
from store.constants import MQRC
from store.database import Transaction
from store.error import MQError
from store.flow import closing
from store.flow.caller import Caller
from store.sql import administration, events, objects
from store.sql.objects import ObjectRow

if TYPE_CHECKING:
    from store.queue_manager import QueueManager


def delete(qmgr: QueueManager, kind: Kind, name: str, *, purge: bool = False) -> None:
    """DELETE: remove an object of exactly that kind.

    MQError 2085 (4032 for a channel) when it is missing, 4002 when it is of another type, 2042 when a handle is open on
    it or resolves through it, 2055 when the queue holds messages and `purge` is false, or uncommitted ones at all.
    """
    despite_dead_processes(qmgr.store, lambda: _delete(qmgr, kind, name, purge))


def _delete(qmgr: QueueManager, kind: Kind, name: str, purge: bool) -> None:
    gone = 0
    while True:
        with Transaction(qmgr.store.database, durable=False) as tx:
            caller = qmgr.caller(tx)
            definition = find(tx, qmgr.name, kind, name)
            if kind.namespace != "queue":
                _delete_definition(tx, caller, definition)
                return
            removed = _purge(tx, caller, name, purge)
            gone += removed
            if removed < BATCH:
                closing.remove_queue(tx, caller, unused_queue(tx, caller, name), gone)
                return


def _purge(tx: Transaction, caller: Caller, name: str, purge: bool) -> int:
    """Remove a batch of the messages; how many."""
    queue = unused_queue(tx, caller, name)
    if not queue.depth:
        return 0
    if not purge:
        raise MQError(MQRC.Q_NOT_EMPTY, name)
    return remove_batch(tx, caller, queue, queue.next_sequence, "purge")


def _delete_definition(tx: Transaction, caller: Caller, definition: ObjectRow) -> None:
    if administration.is_open_of_kind(tx, definition.owner, definition.type, definition.name):
        raise MQError(MQRC.OBJECT_IN_USE, definition.name)
    objects.remove(tx, definition.id)
    events.append(tx, caller.event("DELETE", queue=definition.name, target=definition.type))
