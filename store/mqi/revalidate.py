"""What a call reads first: whether its connection still exists, and the objects that its handle was opened through.

A handle keeps the rows it was opened through. The columns that every call changes are read each time, the others only
when `version` shows that an attribute changed. The transaction holds the write lock, so nothing is stale.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from store.constants import MQRC
from store.engine.call_context import CallContext, time_of
from store.engine.name_resolution import Destination
from store.error import MQError
from store.mqi.state import ConnectionState, HandleState
from store.sql import connections, managers, queues
from store.sql.managers import ENDED, QUIESCING
from store.sql.rows import QueueRow
from store.sqlite.database import Queries, Reading, Transaction


def call_context(tx: Transaction | Reading, connection: ConnectionState, *, fail_if_quiescing: int = 0) -> CallContext:
    """The connection as the cause of what this transaction does; the errors are those of `_as_seen`."""
    seen: managers.HotColumns | None = managers.read_hot_columns(tx, connection.qmgr.name)
    if seen is None:
        raise MQError(MQRC.CONNECTION_BROKEN, connection.qmgr.name)
    return _as_seen(tx, connection, *seen, fail_if_quiescing)


@contextmanager
def transaction(connection: ConnectionState, *, durable: bool = False) -> Iterator[tuple[Transaction, CallContext]]:
    """A transaction of a call, and its context; errors as `call_context`."""
    with Transaction(connection.store.database, durable=durable) as tx:
        yield tx, call_context(tx, connection)


@contextmanager
def read(connection: ConnectionState) -> Iterator[tuple[Reading, CallContext]]:
    """A read for a call, and its context; errors as `call_context`."""
    with Reading(connection.store.database) as reading:
        yield reading, call_context(reading, connection)


def _as_seen(
    tx: Queries, connection: ConnectionState, version: int, run: int, state: str, clock_at: int | None, asked: int
) -> CallContext:
    """The connection as the cause of a call that has read these columns of its queue manager.

    MQError 2009 when the queue manager ended under the connection, or the connection was broken; 2161 when the queue
    manager is quiescing and the call asked to fail then.
    """
    name = connection.qmgr.name
    if run != connection.run or state == ENDED:
        raise MQError(MQRC.CONNECTION_BROKEN, name)
    row = connection.manager
    if row is None or row.version != version:
        row = managers.by_name(tx, name)
        # Breaking a connection raises the version of the queue manager's row, so calls need not look otherwise.
        if row is None or connections.by_id(tx, connection.number) is None:
            raise MQError(MQRC.CONNECTION_BROKEN, name)
        connection.manager = row
    row.state, row.clock_at = state, clock_at
    environment = connection.store.environment
    now = time_of(row, environment)
    call = CallContext(row, now, environment, connection.number, connection.application, connection.user)
    if asked:
        refuse_while_quiescing(call, asked)
    return call


def refuse_while_quiescing(call: CallContext, fail_if_quiescing: int) -> None:
    """MQError 2161 when the queue manager is quiescing and the call asked to fail then."""
    if fail_if_quiescing and call.qmgr.state == QUIESCING:
        raise MQError(MQRC.Q_MGR_QUIESCING, call.qmgr.name)


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
        call = call or _as_seen(tx, connection, qmgr_version, run, state, clock_at, fail_if_quiescing)
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
            raise MQError(MQRC.Q_DELETED, handle.name)
        if row.generation != old.generation:
            raise MQError(MQRC.OBJECT_CHANGED, handle.name)
        rows.append(row)
    becomes = Destination(tuple(rows[:-1]), rows[-1], was.remote_queue, was.remote_queue_manager)
    handle.destination = becomes
    handle.prepared_puts.clear()
    handle.is_asynchronous = None
    return becomes


def _gone(tx: Transaction, handle: HandleState) -> NoReturn:
    """The queue no longer exists: deleted with its queue manager, with the connection (temporary dynamic), or alone."""
    call_context(tx, handle.connection)
    raise MQError(MQRC.Q_DELETED, handle.name)
