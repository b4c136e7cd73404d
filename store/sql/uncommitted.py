"""What open units of work hold: the messages they put on or got from a queue, and the trigger messages they caused."""

from __future__ import annotations

from typing import NamedTuple

from store.sql.clauses import IN_UNIT, OF_QUEUE, ONE, PUT_IN_UNIT, ZERO, literal
from store.sql.file_format import UNIT_BITS
from store.sql.tables import connection, event, message, prepared_unit, process, queue
from store.sqlite.database import Queries
from store.sqlite.expressions import BindParameter, bindparam, func, or_, select
from store.sqlite.statement import Statement

_m, _q, _c, _p, _d = message.c, queue.c, connection.c, process.c, prepared_unit.c


class Held(NamedTuple):
    """The messages of one queue and state that one unit of work holds, and the program that it belongs to.

    `first_put_at` is when the first of the messages was put, microseconds UTC. `kept`: they are trigger messages that
    stay when the unit is backed out. `file` is the liveness file of the process, blank for a store in memory.
    `in_doubt` is the name under which the unit was prepared, blank if it was not; it has no connection then.
    """

    unit: int
    queue: str
    state: int
    messages: int
    first_put_at: int
    kept: int
    connection: int
    application: str
    user: str
    file: str
    in_doubt: str


_HELD = (
    select(
        _m.unit,
        _q.name,
        _m.state,
        func.count(),
        func.min(_m.put_at),
        func.max(_m.kept_at_backout),
        func.coalesce(_c.id, ZERO),
        func.coalesce(_c.application, _d.application),
        func.coalesce(_c.user, _d.user),
        func.coalesce(_p.file, literal("")),
        func.coalesce(_d.name, literal("")),
    )
    .select_from(
        message.join(queue, _q.id == _m.queue)
        .outerjoin(prepared_unit, _d.number == _m.unit)
        .outerjoin(connection, (_c.id == _m.unit.op(">>")(literal(UNIT_BITS))) & _d.number.is_(None))
        .outerjoin(process, _p.id == _c.process)
    )
    .where(_m.unit.is_not(None), IN_UNIT, or_(_c.id.is_not(None), _d.number.is_not(None)))
    .group_by(_m.unit, _q.name, _m.state)
    .order_by(func.min(_m.put_at), _m.unit, _m.state)
)
_ON_QUEUE = Statement(_HELD.where(OF_QUEUE, _m.rank >= bindparam("rank")))


def on_queue(tx: Queries, queue: int, rank: int) -> list[Held]:
    """Return what open units of work put on a queue or got from it, of at least that effective priority."""
    return [Held._make(row) for row in tx.all(_ON_QUEUE, {"queue": queue, "rank": rank})]


_START: BindParameter[bytes] = bindparam("start")
_LENGTH: BindParameter[int] = bindparam("length")
_TRIGGER_MESSAGES = Statement(
    _HELD.where(
        PUT_IN_UNIT,
        _q.owner == bindparam("owner"),
        or_(
            (_m.format == bindparam("format")) & (func.substr(_m.body, ONE, _LENGTH) == _START),
            (_m.format == bindparam("dead_letter_format"))
            & (func.substr(_m.body, bindparam("header") + ONE, _LENGTH) == _START),
        ),
    )
)


class StartOfData(NamedTuple):
    """How trigger messages for one queue begin, and their format; also as dead letters, behind a `header`."""

    start: bytes
    format: str
    header: int
    dead_letter_format: str


def trigger_messages(tx: Queries, owner: str, wanted: StartOfData) -> list[Held]:
    """Return the trigger messages that open units of work put on any queue of a queue manager."""
    values = {**wanted._asdict(), "owner": owner, "length": len(wanted.start)}
    return [Held._make(row) for row in tx.all(_TRIGGER_MESSAGES, values)]


# How many events, from the end of the history, are searched for the gets of a unit of work.
REACH = 100_000
_GETS = Statement(
    select(func.min(event.c.at), func.count()).where(
        event.c.seq > select(func.max(event.c.seq)).scalar_subquery() - literal(REACH),
        event.c.kind == literal("GET"),
        event.c.queue == bindparam("queue"),
        event.c.unit == bindparam("unit"),
    )
)


def first_get(tx: Queries, queue: str, unit: int, messages: int) -> int | None:
    """Return when a unit of work got the first of its `messages` from a queue, microseconds UTC.

    None when the end of the history does not have all of the gets.
    """
    at, found = tx.one(_GETS, {"queue": queue, "unit": unit})
    return at if found >= messages else None
