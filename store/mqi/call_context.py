"""Every call starts here: does the connection still exist, and may messages join its unit of work?"""

from __future__ import annotations

from store.engine.call_context import CallContext, time_of
from store.error import MQError
from store.mqi.state import ConnectionState
from store.sql import connections, queue_managers
from store.sql.queue_managers import ENDED, QUIESCING
from store.sql.rows import QueueRow
from store.sqlite.database import Queries, Reading, Transaction

CONNECTION_BROKEN = 2009
Q_MGR_QUIESCING = 2161
SYNCPOINT_LIMIT_REACHED = 2024


def call_context(tx: Transaction | Reading, connection: ConnectionState, *, fail_if_quiescing: int = 0) -> CallContext:
    """The connection as the cause of what this transaction does; the errors are those of `as_seen`."""
    seen = queue_managers.read_hot_columns(tx, connection.qmgr.name)
    if seen is None:
        raise MQError(CONNECTION_BROKEN, connection.qmgr.name)
    return as_seen(tx, connection, *seen, fail_if_quiescing)


def as_seen(
    tx: Queries,
    connection: ConnectionState,
    version: int,
    run: int,
    state: str,
    clock_at: int | None,
    fail_if_quiescing: int,
) -> CallContext:
    """The connection as the cause of a call that has read these columns of its queue manager.

    MQError 2009 when the queue manager ended under the connection, or the connection was broken; 2161 when the queue
    manager is quiescing and the call asked to fail then.
    """
    name = connection.qmgr.name
    if run != connection.run or state == ENDED:
        raise MQError(CONNECTION_BROKEN, name)
    row = connection.manager
    if row is None or row.version != version:
        row = queue_managers.by_name(tx, name)
        # Breaking a connection raises the version of the queue manager's row, so calls need not look otherwise.
        if row is None or connections.by_id(tx, connection.number) is None:
            raise MQError(CONNECTION_BROKEN, name)
        connection.manager = row
    row.state, row.clock_at = state, clock_at
    environment = connection.store.environment
    now = time_of(row, environment)
    call = CallContext(row, now, environment, connection.number, connection.application, connection.user)
    if fail_if_quiescing:
        refuse_while_quiescing(call, fail_if_quiescing)
    return call


def refuse_while_quiescing(call: CallContext, fail_if_quiescing: int) -> None:
    """MQError 2161 when the queue manager is quiescing and the call asked to fail then."""
    if fail_if_quiescing and call.qmgr.state == QUIESCING:
        raise MQError(Q_MGR_QUIESCING, call.qmgr.name)


def may_join(connection: ConnectionState, call: CallContext, count: int) -> None:
    """MQError 2024 when `count` more messages in the unit of work would exceed MAXUMSGS."""
    if connection.unit.count + count > call.qmgr.max_uncommitted and not connection.is_command_server:
        raise MQError(SYNCPOINT_LIMIT_REACHED)


def joined(
    connection: ConnectionState, call: CallContext, queue: QueueRow, count: int, caused: int, *, persistent: bool
) -> None:
    """Count the messages that joined the unit of work, and note whether its end must be synced and recorded.

    `count` put or got, and the trigger and report messages that were `caused`, so MAXUMSGS may be exceeded only now:
    MQError 2024.
    """
    if caused:
        may_join(connection, call, count + caused)
    unit = connection.unit
    unit.count += count + caused
    # A message that was caused, or a copy, may be on a shared queue even if the queue itself is not shared.
    if queue.structure or (call.qmgr.sharing_group and (caused or queue.stream_queue)):
        unit.on_shared = True
    unit.durable = unit.durable or persistent
    # A stream queue may be recorded even if the queue itself is not.
    unit.recorded = unit.recorded or bool(queue.recorded or queue.stream_queue)
