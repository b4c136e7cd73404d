"""What the history says about one channel."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import bindparam, select

from store.sql.clauses import ONE, literal
from store.sql.schema import event
from store.sqlite.database import Queries
from store.sqlite.statement import Statement

_e = event.c


class ChannelEnd(NamedTuple):
    """An attempt to run a channel that did not end normally: when (microseconds UTC), the cause, the MQRC, a JSON."""

    at: int
    cause: str
    reason: int | None
    detail: str | None


_LAST_END = Statement(
    select(*(_e[name] for name in ChannelEnd._fields))
    .where(
        _e.seq > bindparam("after"),
        _e.qmgr == bindparam("qmgr"),
        _e.kind == literal("CHANNEL"),
        _e.target == bindparam("channel"),
        _e.cause.in_([literal("failed"), literal("retry"), literal("stopped")]),
    )
    .order_by(_e.seq.desc())
    .limit(ONE)
)


def last_end(tx: Queries, qmgr: str, channel: str, after: int) -> ChannelEnd | None:
    """Return the last end of a channel that was not normal, among the events numbered higher than `after`, or None."""
    row = tx.one(_LAST_END, {"qmgr": qmgr, "channel": channel, "after": after})
    return None if row is None else ChannelEnd._make(row)
