"""The rows that a put or get needs, read as cheaply as possible.

A handle keeps the rows it was opened through. The columns that every call changes are read each time, the others only
when `version` shows that an attribute changed. The transaction holds the write lock, so nothing is stale.
"""

from __future__ import annotations

from typing import NoReturn

from store.engine.call_context import CallContext
from store.engine.name_resolution import Destination
from store.error import MQError
from store.mqi.call_context import as_seen, call_context
from store.mqi.state import HandleState
from store.sql import queues
from store.sql.rows import QueueRow
from store.sqlite.database import Transaction

OBJECT_CHANGED, Q_DELETED = 2041, 2052


def revalidate(tx: Transaction, handle: HandleState, fail_if_quiescing: int) -> tuple[CallContext, Destination]:
    """The call context, and the objects that `handle` was opened through as they are now.

    MQError 2009 when the queue manager ended meanwhile, 2161 when it is quiescing and the call asked to fail then, 2052
    when an object was deleted, 2041 when it was changed with FORCE.
    """
    connection, destination = handle.connection, handle.destination
    assert destination is not None
    call = None
    changed = False
    for row in destination.rows:
        seen = queues.read_hot_columns(tx, row.id, connection.qmgr.name)
        if seen is None:
            _gone(tx, handle)
        version, row.depth, row.next_sequence, row.earliest_expiry, qmgr_version, run, state, clock_at = seen
        call = call or as_seen(tx, connection, qmgr_version, run, state, clock_at, fail_if_quiescing)
        changed = changed or version != row.version
    assert call is not None
    if changed:
        destination = _reread(tx, handle, destination)
    return call, destination


def _reread(tx: Transaction, handle: HandleState, was: Destination) -> Destination:
    rows: list[QueueRow] = []
    for old in was.rows:
        row = queues.by_id(tx, old.id, handle.connection.qmgr.name)
        if row is None or row.logically_deleted:
            raise MQError(Q_DELETED, handle.name)
        if row.generation != old.generation:
            raise MQError(OBJECT_CHANGED, handle.name)
        rows.append(row)
    becomes = Destination(tuple(rows[:-1]), rows[-1], was.remote_queue, was.remote_queue_manager)
    handle.destination = becomes
    return becomes


def _gone(tx: Transaction, handle: HandleState) -> NoReturn:
    """The queue no longer exists: deleted with its queue manager, with the connection (temporary dynamic), or alone."""
    call_context(tx, handle.connection)
    raise MQError(Q_DELETED, handle.name)
