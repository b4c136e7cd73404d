"""The events from which follows where the messages of a queue came from."""

from __future__ import annotations

from typing import Any

from store.sql.clauses import OF_QUEUE, READY, literal
from store.sql.tables import event, message
from store.sqlite.database import Queries
from store.sqlite.expressions import bindparam, exists, or_, select
from store.sqlite.statement import Statement

_e, _m = event.c, message.c
# The fields of `store.rules.message_origin.MovingEvent`.
COLUMNS = (
    "kind",
    "cause",
    "queue",
    "target",
    "msg_id",
    "correl_id",
    "put_at",
    "unit",
    "at",
    "application",
    "user",
    "detail",
)
_MOVING = tuple(map(literal, ("PUT", "GET", "REQUEUE", "FORWARD", "DISCARD")))

_EVENTS = Statement(
    select(*(_e[name] for name in COLUMNS))
    .where(
        _e.seq.between(bindparam("first"), bindparam("last")),
        _e.qmgr == bindparam("qmgr"),
        or_(
            _e.kind == literal("BACKOUT"),
            # With IN, SQLite would first collect the identifiers of the whole queue.
            _e.kind.in_(_MOVING) & exists(select(_m.id).where(OF_QUEUE, READY, _m.msg_id == _e.msg_id)),
        ),
    )
    .order_by(_e.seq)
)


def moving_events(tx: Queries, qmgr: str, queue: int, first: int, last: int) -> list[tuple[Any, ...]]:
    """Return the events numbered `first` to `last` about messages with MsgIds that are on the queue, and all backouts.

    Each has the values of COLUMNS. Every event in that range is read, so keep it short.
    """
    return tx.all(_EVENTS, {"qmgr": qmgr, "queue": queue, "first": first, "last": last})
