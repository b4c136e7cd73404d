"""Every call starts here: does the connection still exist, and may messages join its unit of work?"""

from __future__ import annotations

from store.engine.call_context import CallContext, time_of
from store.error import MQError
from store.mqi.state import ConnectionState
from store.sql import connections, queue_managers
from store.sql.queue_managers import ENDED, QUIESCING
from store.sql.rows import ManagerRow, QueueRow
from store.sqlite.database import Queries, Reading, Transaction

CONNECTION_BROKEN = 2009
Q_MGR_QUIESCING = 2161
SYNCPOINT_LIMIT_REACHED = 2024


def call_context(tx: Transaction | Reading, connection: ConnectionState, *, fail_if_quiescing: int = 0) -> CallContext:
    """The connection as the cause of what this transaction does.

    MQError 2009 when the queue manager ended under the connection; 2161 when it is quiescing and the call asked to fail
    then.
    """
    row = queue_managers.by_name(tx, connection.qmgr.name)
    if row is None or row.run != connection.run or row.state == ENDED:
        raise MQError(CONNECTION_BROKEN, connection.qmgr.name)
    if connection.manager is None or connection.manager.version != row.version:
        remember(tx, connection, row)
    environment = connection.store.environment
    now = time_of(row, environment)
    call = CallContext(row, now, environment, connection.number, connection.application, connection.user)
    refuse_while_quiescing(call, fail_if_quiescing)
    return call


def remember(tx: Queries, connection: ConnectionState, row: ManagerRow) -> None:
    """Keep the row for the following calls; MQError 2009 when the connection was broken in the meantime.

    Breaking a connection raises the version of the queue manager's row, so calls need not look otherwise.
    """
    if connections.by_id(tx, connection.number) is None:
        raise MQError(CONNECTION_BROKEN, connection.qmgr.name)
    connection.manager = row


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
    may_join(connection, call, count + caused)
    unit = connection.unit
    unit.count += count + caused
    # A message that was caused, or a copy, may be on a shared queue even if the queue itself is not shared.
    if queue.structure or (call.qmgr.sharing_group and (caused or queue.stream_queue)):
        unit.on_shared = True
    unit.durable = unit.durable or persistent
    # A stream queue may be recorded even if the queue itself is not.
    unit.recorded = unit.recorded or bool(queue.recorded or queue.stream_queue)
