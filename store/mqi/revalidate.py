"""The rows that a put or get needs, read as cheaply as possible.

A handle keeps the rows it was opened through. The columns that every call changes are read each time, the others only
when `version` shows that an attribute changed. The transaction holds the write lock, so nothing is stale.
"""

from __future__ import annotations

from typing import NoReturn

from store.engine.call_context import CallContext, time_of
from store.engine.name_resolution import Destination
from store.error import MQError
from store.mqi.call_context import CONNECTION_BROKEN, Q_MGR_QUIESCING, call_context, remember
from store.mqi.state import ConnectionState, HandleState
from store.sql import queue_managers, queues
from store.sql.queue_managers import ENDED, QUIESCING
from store.sql.rows import ManagerRow, QueueRow
from store.sqlite.database import Transaction

OBJECT_CHANGED, Q_DELETED = 2041, 2052


def revalidate(tx: Transaction, handle: HandleState, fail_if_quiescing: int) -> tuple[CallContext, Destination]:
    """The call context, and the objects that `handle` was opened through as they are now.

    MQError 2009 when the queue manager ended meanwhile, 2161 when it is quiescing and the call asked to fail then, 2052
    when an object was deleted, 2041 when it was changed with FORCE.
    """
    connection, destination = handle.connection, handle.destination
    assert destination is not None
    changed = False
    name = connection.qmgr.name
    for row in destination.rows:
        seen = queues.read_hot_columns(tx, row.id, name)
        if seen is None:
            _gone(tx, handle)
        version, row.depth, row.next_sequence, row.earliest_expiry, qmgr_version, run, state, clock_at = seen
        changed = changed or version != row.version
    # The queue manager's columns are the same for each row.
    if run != connection.run or state == ENDED:
        raise MQError(CONNECTION_BROKEN, name)
    if fail_if_quiescing and state == QUIESCING:
        raise MQError(Q_MGR_QUIESCING, name)
    call = _caller(tx, connection, qmgr_version, clock_at)
    if changed:
        destination = _reread(tx, handle, destination)
    return call, destination


def _caller(tx: Transaction, connection: ConnectionState, version: int, clock_at: int | None) -> CallContext:
    row = connection.manager
    if row is None or row.version != version:
        row = _manager(tx, connection.qmgr.name)
        remember(tx, connection, row)
    row.clock_at = clock_at
    environment = connection.store.environment
    now = time_of(row, environment)
    return CallContext(row, now, environment, connection.number, connection.application, connection.user)


def _manager(tx: Transaction, name: str) -> ManagerRow:
    row = queue_managers.by_name(tx, name)
    if row is None:
        raise MQError(CONNECTION_BROKEN, name)
    return row


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
