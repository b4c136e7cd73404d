"""The status and statistics of queues: depth, oldest message, uncommitted messages, counts since a reset."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from store.sql.clauses import IN_UNIT, ONE, PUT_IN_UNIT, READY, ZERO, literal, values_of
from store.sql.file_format import UNIT_BITS
from store.sql.tables import connection, message, object_, prepared_unit, queue, queue_member
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import ColumnElement, bindparam, func, or_, select, sqlite_insert, update
from store.sqlite.statement import Statement

_q, _n, _m, _o = queue.c, queue_member.c, message.c, object_.c
# Later than any moment.
_NEVER = literal(2**62)
_HIGHEST_RANK = 9


def _first_put(*conditions: ColumnElement[bool]) -> ColumnElement[int]:
    """Return when the first message of the queue that meets the conditions was put, or _NEVER."""
    first = select(_m.put_at).where(_m.queue == _QUEUE, *conditions).order_by(_m.sequence).limit(ONE)
    return func.coalesce(first.scalar_subquery(), _NEVER)


_QUEUE: ColumnElement[int] = bindparam("queue")
# One lookup in an index for each effective priority instead of reading the whole queue.
_OLDEST = Statement(
    select(
        func.nullif(
            func.min(
                *(_first_put(_m.rank == literal(rank), READY) for rank in range(_HIGHEST_RANK + 1)),
                _first_put(PUT_IN_UNIT),
            ),
            _NEVER,
        )
    )
)


def oldest_put(tx: Queries, queue: int) -> int | None:
    """Return when the oldest message on a queue was put, committed or not, in microseconds UTC; None if it is empty."""
    return tx.value(_OLDEST, {"queue": queue})  # type: ignore[no-any-return]


class QueueStatisticsRow(NamedTuple):
    """The status and statistics of a local queue; `monitoring` is MONQ as defined, `disposition` QSGDISP."""

    id: int
    name: str
    depth: int
    input_handles: int
    output_handles: int
    last_put_at: int | None
    last_get_at: int | None
    short_queue_time: int | None
    long_queue_time: int | None
    puts: int
    gets: int
    high_depth: int
    statistics_since: int
    monitoring: str
    disposition: str


_PAGE = Statement(
    select(
        _q.id,
        _q.name,
        _q.depth,
        func.coalesce(_n.input_handles, ZERO),
        func.coalesce(_n.output_handles, ZERO),
        _q.last_put_at,
        _q.last_get_at,
        _q.short_queue_time,
        _q.long_queue_time,
        _q.puts,
        _q.gets,
        _q.high_depth,
        func.coalesce(_q.statistics_reset_at, _o.created_at),
        func.coalesce(func.json_extract(_o.attributes, literal("$.MONQ")), literal("QMGR")),
        _o.disposition,
    )
    .select_from(
        queue.join(
            object_,
            (_o.owner == _q.owner) & (_o.namespace == literal("queue")) & (_o.name == _q.name),
        ).outerjoin(queue_member, (_n.queue == _q.id) & (_n.qmgr == bindparam("qmgr")))
    )
    .where(
        _q.owner == bindparam("owner"),
        _q.type == literal("QLOCAL"),
        _q.name >= bindparam("low"),
        _q.name < bindparam("high"),
    )
    .order_by(_q.name)
    .limit(bindparam("limit"))
)


def page(tx: Queries, owner: str, low: str, high: str, limit: int, qmgr: str) -> list[QueueStatisticsRow]:
    """Return up to `limit` local queues by name: at least `low`, below `high`, with the handles of `qmgr`."""
    values = {"owner": owner, "qmgr": qmgr, "low": low, "high": high, "limit": limit}
    return [QueueStatisticsRow._make(row) for row in tx.all(_PAGE, values)]


_UNCOMMITTED = Statement(
    select(_m.queue, func.count())
    .where(_m.unit.is_not(None), IN_UNIT, _m.queue.in_(values_of("queues")))
    .group_by(_m.queue)
)


def uncommitted(tx: Queries, queues: Sequence[int]) -> dict[int, int]:
    """Return how many messages open units of work have put to or got from each queue; queues without any are absent."""
    return dict(tx.all(_UNCOMMITTED, {"queues": json.dumps(queues)}))


_UNCOMMITTED_OF_MEMBER = Statement(
    select(func.count()).where(
        _m.queue == bindparam("queue"),
        _m.unit.is_not(None),
        IN_UNIT,
        or_(
            _m.unit.op(">>")(literal(UNIT_BITS)).in_(
                select(connection.c.id).where(connection.c.qmgr == bindparam("qmgr"))
            ),
            _m.unit.in_(select(prepared_unit.c.number).where(prepared_unit.c.qmgr == bindparam("qmgr"))),
        ),
    )
)
_HANDLES_OF_GROUP = Statement(
    select(func.coalesce(func.sum(_n.input_handles), ZERO), func.coalesce(func.sum(_n.output_handles), ZERO)).where(
        _n.queue == bindparam("queue")
    )
)


def uncommitted_of_member(tx: Queries, queue: int, qmgr: str) -> int:
    """Return how many messages of a shared queue the units of work of one member have put or got."""
    return int(tx.value(_UNCOMMITTED_OF_MEMBER, {"queue": queue, "qmgr": qmgr}))


def handles_of_group(tx: Queries, queue: int) -> tuple[int, int]:
    """Return (input handles, output handles) of all members on a shared queue."""
    input_handles, output_handles = tx.one(_HANDLES_OF_GROUP, {"queue": queue})
    return int(input_handles), int(output_handles)


_RESET = Statement(
    update(queue)
    .where(_q.id == bindparam("queue_id"))
    .values(puts=ZERO, gets=ZERO, high_depth=_q.depth, statistics_reset_at=bindparam("now"))
)
_DEPTH = select(_q.depth).where(_q.id == _n.queue).scalar_subquery()
_RESET_SHARES = Statement(
    update(queue_member)
    .where(_n.qmgr == bindparam("qmgr"), _n.queue.in_(select(_q.id).where(_q.structure != literal(""))))
    .values(puts=ZERO, gets=ZERO, high_depth=_DEPTH, statistics_reset_at=bindparam("now"))
)
_RESET_ALL = Statement(
    update(queue)
    .where(_q.owner == bindparam("qmgr"), _q.type == literal("QLOCAL"))
    .values(puts=ZERO, gets=ZERO, high_depth=_q.depth, statistics_reset_at=bindparam("now"))
)


def reset_all(tx: Transaction, qmgr: str, now: int) -> None:
    """The statistics of every local queue of a queue manager begin again, and its share of those of shared queues."""
    tx.run(_RESET_ALL, {"qmgr": qmgr, "now": now})
    tx.run(_RESET_SHARES, {"qmgr": qmgr, "now": now})


def reset(tx: Transaction, queues: Sequence[int], now: int) -> None:
    """Start the statistics of these queues anew."""
    tx.run_for_each(_RESET, [{"queue_id": number, "now": now} for number in queues])


class MemberStatistics(NamedTuple):
    """A member's share of the statistics of a shared queue. `high_depth` is the greatest depth of the whole queue that
    it saw at a put; `since` is when the statistics began, None for the definition of the queue.
    """

    puts: int = 0
    gets: int = 0
    high_depth: int = 0
    since: int | None = None
    last_put_at: int | None = None
    last_get_at: int | None = None


_OF_MEMBER = Statement(
    select(_n.puts, _n.gets, _n.high_depth, _n.statistics_reset_at, _n.last_put_at, _n.last_get_at).where(
        _n.queue == bindparam("queue"), _n.qmgr == bindparam("qmgr")
    )
)
_DEPTH_NOW = select(_q.depth).where(_q.id == bindparam("queue")).scalar_subquery()
_COUNT_MEMBER_PUTS = Statement(
    sqlite_insert(queue_member)
    .values(
        queue=bindparam("queue"),
        qmgr=bindparam("qmgr"),
        puts=bindparam("count"),
        high_depth=bindparam("depth"),
        last_put_at=bindparam("now"),
    )
    .on_conflict_do_update(
        index_elements=["queue", "qmgr"],
        set_={
            "puts": _n.puts + bindparam("count"),
            "high_depth": func.max(_n.high_depth, bindparam("depth")),
            "last_put_at": bindparam("now"),
        },
    ),
    "queue qmgr count depth now count depth now",
)
_COUNT_MEMBER_GET = Statement(
    sqlite_insert(queue_member)
    .values(queue=bindparam("queue"), qmgr=bindparam("qmgr"), gets=ONE, last_get_at=bindparam("now"))
    .on_conflict_do_update(
        index_elements=["queue", "qmgr"], set_={"gets": _n.gets + ONE, "last_get_at": bindparam("now")}
    ),
    "queue qmgr now now",
)
_RESET_MEMBER = Statement(
    sqlite_insert(queue_member)
    .values(
        queue=bindparam("queue"),
        qmgr=bindparam("qmgr"),
        high_depth=_DEPTH_NOW,
        statistics_reset_at=bindparam("now"),
    )
    .on_conflict_do_update(
        index_elements=["queue", "qmgr"],
        set_={"puts": ZERO, "gets": ZERO, "high_depth": _DEPTH_NOW, "statistics_reset_at": bindparam("now")},
    )
)


def of_member(tx: Queries, queue: int, qmgr: str) -> MemberStatistics:
    """Return what a member has counted on a shared queue."""
    row = tx.one(_OF_MEMBER, {"queue": queue, "qmgr": qmgr})
    return MemberStatistics() if row is None else MemberStatistics._make(row)


def count_member_puts(tx: Transaction, queue: int, qmgr: str, count: int, depth: int, now: int) -> None:
    """Count puts of a member to a shared queue, whose depth they raise to `depth`."""
    tx.execute(_COUNT_MEMBER_PUTS.text, (queue, qmgr, count, depth, now, count, depth, now))


def count_member_get(tx: Transaction, queue: int, qmgr: str, now: int) -> None:
    """Count a get of a member from a shared queue."""
    tx.execute(_COUNT_MEMBER_GET.text, (queue, qmgr, now, now))


def reset_member(tx: Transaction, queue: int, qmgr: str, now: int) -> None:
    """Start a member's share of the statistics of a shared queue anew."""
    tx.run(_RESET_MEMBER, {"queue": queue, "qmgr": qmgr, "now": now})
