"""Reads the messages that were backed out, and who backed them out last."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from store.sql.clauses import OF_QUEUE, READY, ZERO, literal, values_of
from store.sql.messages import WITHOUT_BODY
from store.sql.peek import QueuePosition
from store.sql.rows import StoredMessage
from store.sql.tables import event, message
from store.sqlite.database import Queries
from store.sqlite.expressions import bindparam, func, or_, select
from store.sqlite.statement import Statement

_m, _e = message.c, event.c
PAGE = 500
_PAGE = Statement(
    select(*WITHOUT_BODY)
    .where(
        OF_QUEUE,
        READY,
        _m.backout_count > ZERO,
        or_(
            _m.rank < bindparam("rank"),
            (_m.rank == bindparam("rank")) & (_m.sequence > bindparam("sequence")),
        ),
    )
    .order_by(_m.rank.desc(), _m.sequence)
    .limit(literal(PAGE))
)


def backed_out(tx: Queries, queue: int, after: QueuePosition) -> list[StoredMessage]:
    """Return the next available messages with a backout count in delivery order, without data, at most PAGE."""
    values = {"queue": queue, "rank": after.rank, "sequence": after.sequence}
    return [StoredMessage._make(row) for row in tx.all(_PAGE, values)]


class LastGet(NamedTuple):
    """Who had got a message, in which unit of work, and the number of that event."""

    application: str
    user: str
    unit: int
    seq: int


_LAST_GETS = Statement(
    select(_e.msg_id, _e.application, _e.user, _e.unit, func.max(_e.seq))
    .where(
        _e.seq.between(bindparam("first"), bindparam("last")),
        _e.kind == literal("GET"),
        _e.qmgr == bindparam("qmgr"),
        _e.queue == bindparam("name"),
        _e.unit.is_not(None),
        func.hex(_e.msg_id).in_(values_of("listed")),
    )
    .group_by(_e.msg_id)
)
_BACKOUTS = Statement(
    select(_e.unit, _e.at, _e.cause).where(
        _e.seq > bindparam("after"), _e.kind == literal("BACKOUT"), _e.unit.in_(values_of("listed"))
    )
)


def last_gets(
    tx: Queries, qmgr: str, queue: str, msg_ids: Iterable[bytes], first: int, last: int
) -> dict[bytes, LastGet]:
    """Return the last gets in units of work of messages of a queue, by MsgId, among the events with these numbers."""
    listed = json.dumps([each.hex().upper() for each in msg_ids])
    values = {"qmgr": qmgr, "name": queue, "listed": listed, "first": first, "last": last}
    return {row[0]: LastGet._make(row[1:]) for row in tx.all(_LAST_GETS, values)}


def backouts(tx: Queries, units: Iterable[int], after: int) -> dict[int, tuple[int, str]]:
    """Return (time, cause) of the backouts of these units of work, by unit, among the events after that number."""
    rows = tx.all(_BACKOUTS, {"listed": json.dumps(list(units)), "after": after})
    return {unit: (at, cause) for unit, at, cause in rows}
