"""A call joins the connection's unit of work, within MAXUMSGS (mqi-semantics §6)."""

from __future__ import annotations

from store.engine.call_context import CallContext
from store.error import MQError
from store.mqi.state import ConnectionState
from store.sql.rows import QueueRow

SYNCPOINT_LIMIT_REACHED = 2024


def may_join(connection: ConnectionState, call: CallContext, count: int) -> None:
    """MQError 2024 when `count` more messages in the unit of work would exceed MAXUMSGS."""
    if connection.unit.count + count > call.qmgr.max_uncommitted:
        raise MQError(SYNCPOINT_LIMIT_REACHED)


def joined(connection: ConnectionState, call: CallContext, queue: QueueRow, count: int, *, persistent: bool) -> None:
    """Remember that `count` messages joined: how many, whether its end must be synced and recorded.

    They include the trigger and report messages that were caused, so MAXUMSGS may be exceeded only now: 2024 then.
    """
    may_join(connection, call, count)
    unit = connection.unit
    unit.count += count
    unit.durable = unit.durable or persistent
    unit.recorded = unit.recorded or bool(queue.recorded)
