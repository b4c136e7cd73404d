"""Faults that channels are to meet, for learning and for tests."""

from __future__ import annotations

from sqlalchemy import bindparam, delete, or_, select, update

from store.sql.clauses import ONE
from store.sql.rows import ChannelFaultRow
from store.sql.schema import channel_fault
from store.sqlite.database import Queries, Transaction
from store.sqlite.statement import Statement

_f = channel_fault.c
_OF_CHANNEL = Statement(
    select(channel_fault)
    .where(
        _f.qmgr == bindparam("qmgr"),
        _f.channel == bindparam("channel"),
        or_(_f.until.is_(None), _f.until > bindparam("now")),
    )
    .order_by(_f.id)
)
_USE = Statement(update(channel_fault).where(_f.id == bindparam("id")).values(times=_f.times - ONE))
_DROP_USED = Statement(delete(channel_fault).where(_f.id == bindparam("id"), _f.times < ONE))


def of_channel(tx: Queries, qmgr: str, channel: str, now: int) -> list[ChannelFaultRow]:
    """Return the faults of a channel that are not over at `now`, oldest first."""
    rows = tx.all(_OF_CHANNEL, {"qmgr": qmgr, "channel": channel, "now": now})
    return [ChannelFaultRow._make(row) for row in rows]


def use(tx: Transaction, id: int) -> None:
    """Count that a fault was met; one that was met as often as it may be is removed."""
    tx.run(_USE, {"id": id})
    tx.run(_DROP_USED, {"id": id})
