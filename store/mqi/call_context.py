"""What every call begins with: the queue manager as it is now, and whether the connection still exists."""

from __future__ import annotations

from store.engine.call_context import CallContext, time_of
from store.error import MQError
from store.mqi.state import ConnectionState
from store.sql import connections, queue_managers
from store.sql.queue_managers import ENDED, QUIESCING
from store.sql.rows import ManagerRow
from store.sqlite.database import Queries, Reading, Transaction

CONNECTION_BROKEN = 2009
Q_MGR_QUIESCING = 2161


def call_context(tx: Transaction | Reading, connection: ConnectionState, *, fail_if_quiescing: int = 0) -> CallContext:
    """The connection as the cause of what this transaction does.

    MQError 2009 when the queue manager was ended under it, 2161 when it is quiescing and the call asked to fail then.
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
    """Keep the row for the calls that follow; MQError 2009 when the connection was broken since it was kept last.

    Who breaks one connection raises the version of the queue manager's row, so that the others need not look.
    """
    if connections.by_id(tx, connection.number) is None:
        raise MQError(CONNECTION_BROKEN, connection.qmgr.name)
    connection.manager = row


def refuse_while_quiescing(call: CallContext, fail_if_quiescing: int) -> None:
    """MQError 2161 when the queue manager is quiescing and the call asked to fail then."""
    if fail_if_quiescing and call.qmgr.state == QUIESCING:
        raise MQError(Q_MGR_QUIESCING, call.qmgr.name)
