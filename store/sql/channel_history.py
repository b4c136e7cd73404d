"""What the history says about one channel."""

from __future__ import annotations

from typing import NamedTuple

from store.sql.clauses import ONE, literal
from store.sql.tables import event
from store.sqlite.database import Queries
from store.sqlite.expressions import bindparam, select
from store.sqlite.statement import Statement

_e = event.c


class EndedRun(NamedTuple):
    """The end of a run of a channel: when (microseconds UTC), the cause, the MQRC of a failed call, details."""

    at: int
    cause: str
    reason: int | None
    detail: str | None


_LAST_END = Statement(
    select(*(_e[name] for name in EndedRun._fields))
    .where(
        _e.seq > bindparam("after"),
        _e.qmgr == bindparam("qmgr"),
        _e.kind == literal("CHANNEL"),
        _e.target == bindparam("channel"),
        _e.cause.in_([literal(each) for each in ("ended", "failed", "retry", "stopped")]),
    )
    .order_by(_e.seq.desc())
    .limit(ONE)
)


def last_end(tx: Queries, qmgr: str, channel: str, after: int) -> EndedRun | None:
    """Return the last end of a channel, among the events numbered higher than `after`, or None."""
    row = tx.one(_LAST_END, {"qmgr": qmgr, "channel": channel, "after": after})
    return None if row is None else EndedRun._make(row)
