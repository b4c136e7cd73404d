"""The faults that channels are to meet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from store.sql.rows import ChannelFaultRow
from store.sql.tables import channel_fault
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import bindparam, delete, insert, select, update
from store.sqlite.statement import Statement

_f = channel_fault.c
_OF_CHANNEL = (_f.qmgr == bindparam("qmgr"), _f.channel == bindparam("channel"))
_ADD = Statement(
    insert(channel_fault).values({name: bindparam(name) for name in ChannelFaultRow._fields if name != "id"})
)
_FIND = Statement(select(channel_fault).where(*_OF_CHANNEL).order_by(_f.id))
_EVERY = Statement(select(channel_fault).where(_OF_CHANNEL[0]).order_by(_f.channel, _f.id))
_BY_ID = Statement(select(channel_fault).where(_f.id == bindparam("fault")))
_MET = Statement(
    update(channel_fault)
    .where(_f.id == bindparam("fault"))
    .values(step=bindparam("step"), number=bindparam("number"), times=bindparam("times"))
)
_REMOVE = Statement(delete(channel_fault).where(_f.id == bindparam("fault")))
_CLEAR = Statement(delete(channel_fault).where(*_OF_CHANNEL))


def add(tx: Transaction, row: Mapping[str, Any]) -> None:
    """Store a fault: the columns of its row but `id`."""
    tx.insert(_ADD, row)


def of_channel(tx: Queries, qmgr: str, channel: str) -> list[ChannelFaultRow]:
    """Return the faults of a channel, oldest first."""
    return [ChannelFaultRow._make(row) for row in tx.all(_FIND, {"qmgr": qmgr, "channel": channel})]


def of_queue_manager(tx: Queries, qmgr: str) -> list[ChannelFaultRow]:
    """Return the faults of all channels, by channel, oldest first."""
    return [ChannelFaultRow._make(row) for row in tx.all(_EVERY, {"qmgr": qmgr})]


def find(tx: Queries, fault: int) -> ChannelFaultRow | None:
    """Return a fault, or None when it is gone."""
    row = tx.one(_BY_ID, {"fault": fault})
    return None if row is None else ChannelFaultRow._make(row)


def change(tx: Transaction, fault: int, step: str, number: int, times: int | None) -> None:
    """Change where a fault is met, and how often it still is."""
    tx.run(_MET, {"fault": fault, "step": step, "number": number, "times": times})


def remove(tx: Transaction, fault: int) -> None:
    tx.run(_REMOVE, {"fault": fault})


def clear(tx: Transaction, qmgr: str, channel: str) -> int:
    """Remove the faults of a channel; return how many there were."""
    return tx.run(_CLEAR, {"qmgr": qmgr, "channel": channel})
