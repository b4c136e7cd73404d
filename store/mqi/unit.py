"""A call joins the connection's unit of work, within MAXUMSGS (mqi-semantics §6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.error import MQError
from store.flow.caller import Caller
from store.sql.rows import QueueRow

if TYPE_CHECKING:
    from store.connection import Connection

SYNCPOINT_LIMIT_REACHED = 2024


def unit_for(connection: Connection, caller: Caller, count: int) -> int:
    """The number of the unit of work that `count` more messages may join; MQError 2024 beyond MAXUMSGS."""
    if connection.unit.count + count > caller.qmgr.max_uncommitted:
        raise MQError(SYNCPOINT_LIMIT_REACHED)
    return connection.unit.begin()


def joined(connection: Connection, queue: QueueRow, count: int, *, persistent: bool) -> None:
    """Remember that `count` messages joined: how many, whether its end must be synced and recorded."""
    unit = connection.unit
    unit.count += count
    unit.durable = unit.durable or persistent
    unit.recorded = unit.recorded or bool(queue.recorded)
