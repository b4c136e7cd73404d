"""The status and statistics of queues: oldest message, uncommitted messages, counts since a reset, waiting gets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from store.sql.core import *
from store.sql.rows import UNIT_BITS, MessageState, condition_of
from store.sql.statements import change, first_tuple, for_each, mapping, row, rows, tuples, value
from store.sqlite.database import Queries, Transaction

_q, _n, _m, _o, _c, _u = queue.c, queue_member.c, message.c, object_.c, connection.c, prepared_unit.c
_HIGHEST_RANK = 9


@first_tuple
def _oldest(queue: int) -> ClauseElement:
    # Later than any moment.
    never = constant(2**62)

    def first_put(*conditions: ColumnElement[bool]) -> ColumnElement[int]:
        first = select(_m.put_at).where(_m.queue == queue, *conditions).order_by(_m.sequence).limit(ONE)
        return func.coalesce(first.scalar_subquery(), never)

    # One lookup in an index for each effective priority instead of reading the whole queue.
    of_ranks = (first_put(_m.rank == constant(rank), READY) for rank in range(_HIGHEST_RANK + 1))
    return select(func.nullif(func.min(*of_ranks, first_put(PUT_IN_UNIT)), never))


def oldest_put(tx: Queries, queue: int) -> int | None:
    """Return when the oldest message on a queue was put, committed or not, in microseconds UTC; None if it is empty."""
    return _oldest(tx, queue)[0]  # type: ignore[no-any-return]


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


@rows(QueueStatisticsRow)
def page(owner: str, low: str, high: str, limit: int, qmgr: str) -> ClauseElement:
    """Return up to `limit` local queues by name: at least `low`, below `high`, with the handles of `qmgr`."""
    derived = {
        "input_handles": func.coalesce(_n.input_handles, ZERO),
        "output_handles": func.coalesce(_n.output_handles, ZERO),
        "statistics_since": func.coalesce(_q.statistics_reset_at, _o.created_at),
        "monitoring": func.coalesce(func.json_extract(_o.attributes, constant("$.MONQ")), constant("QMGR")),
        "disposition": _o.disposition,
    }
    found = select(*(derived[name] if name in derived else _q[name] for name in QueueStatisticsRow._fields))
    found = found.select_from(
        queue.join(
            object_, (_o.owner == _q.owner) & (_o.namespace == constant("queue")) & (_o.name == _q.name)
        ).outerjoin(queue_member, (_n.queue == _q.id) & (_n.qmgr == qmgr))
    )
    found = found.where(_q.owner == owner, _q.type == constant("QLOCAL"), _q.name >= low, _q.name < high)
    return found.order_by(_q.name).limit(limit)


@mapping
def uncommitted(queues: list[int]) -> ClauseElement:
    """Return how many messages open units of work have put to or got from each queue; queues without any are absent."""
    found = select(_m.queue, func.count()).where(_m.unit.is_not(None), IN_UNIT, _m.queue.in_(values_of(queues)))
    return found.group_by(_m.queue)


@value(int)
def uncommitted_of_member(queue: int, qmgr: str) -> ClauseElement:
    """Return how many messages of a shared queue the units of work of one member have put or got."""
    return select(func.count()).where(
        _m.queue == queue,
        _m.unit.is_not(None),
        IN_UNIT,
        or_(
            _m.unit.op(">>")(constant(UNIT_BITS)).in_(select(_c.id).where(_c.qmgr == qmgr)),
            _m.unit.in_(select(_u.number).where(_u.qmgr == qmgr)),
        ),
    )


def _reset_from(depth: Any, now: int) -> dict[str, Any]:
    return {"puts": ZERO, "gets": ZERO, "high_depth": depth, "statistics_reset_at": now}


@change
def _reset_all(qmgr: str, now: int) -> ClauseElement:
    own = update(queue).where(_q.owner == qmgr, _q.type == constant("QLOCAL"))
    return own.values(_reset_from(_q.depth, now))


@change
def _reset_shares(qmgr: str, now: int) -> ClauseElement:
    depth = select(_q.depth).where(_q.id == _n.queue).scalar_subquery()
    shared = select(_q.id).where(_q.structure != BLANK)
    return update(queue_member).where(_n.qmgr == qmgr, _n.queue.in_(shared)).values(_reset_from(depth, now))


def reset_all(tx: Transaction, qmgr: str, now: int) -> None:
    """Start the statistics of all local queues of a queue manager anew, and its share of those of shared queues."""
    _reset_all(tx, qmgr, now)
    _reset_shares(tx, qmgr, now)


@change
def _reset(id: int, now: int) -> ClauseElement:
    return update(queue).where(_q.id == id).values(_reset_from(_q.depth, now))


def reset(tx: Transaction, queues: Iterable[int], now: int) -> None:
    """Start the statistics of these queues anew."""
    for_each(tx, _reset, [(id, now) for id in queues])


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


@row(MemberStatistics)
def _of_member(queue: int, qmgr: str) -> ClauseElement:
    return select(_n.puts, _n.gets, _n.high_depth, _n.statistics_reset_at, _n.last_put_at, _n.last_get_at).where(
        _n.queue == queue, _n.qmgr == qmgr
    )


def of_member(tx: Queries, queue: int, qmgr: str) -> MemberStatistics:
    """Return what a member has counted on a shared queue."""
    return _of_member(tx, queue, qmgr) or MemberStatistics()


@change
def count_member_puts(queue: int, qmgr: str, count: int, depth: int, now: int) -> ClauseElement:
    """Count puts of a member to a shared queue, whose depth they raise to `depth`."""
    values = {"puts": count, "high_depth": depth, "last_put_at": now}
    counted = {"puts": _n.puts + count, "high_depth": func.max(_n.high_depth, depth)}
    return insert_or_update_member(queue, qmgr, values, {**values, **counted})


@change
def count_member_get(queue: int, qmgr: str, now: int) -> ClauseElement:
    """Count a get of a member from a shared queue."""
    return insert_or_update_member(
        queue, qmgr, {"gets": ONE, "last_get_at": now}, {"gets": _n.gets + ONE, "last_get_at": now}
    )


@change
def reset_member(id: int, qmgr: str, now: int) -> ClauseElement:
    """Start a member's share of the statistics of a shared queue anew."""
    reset = _reset_from(select(_q.depth).where(_q.id == id).scalar_subquery(), now)
    return insert_or_update_member(
        id, qmgr, {name: reset[name] for name in ("high_depth", "statistics_reset_at")}, reset
    )


# A queue, by its number, as a queue manager sees it; 0 for the queue manager alone.
WaitPlace = tuple[str, int]
WaitState = tuple[object, ...]
# Above this the number of uncommitted messages is not counted to its end.
MOST_COUNTED = 1000


@tuples
def _queue_states(queues: list[int]) -> ClauseElement:
    # The sequence number is raised by everything that makes a message available, except by the commit of a unit of
    # work, which lowers the number of uncommitted messages.
    return text(
        f"""SELECT queue.id, queue.version, queue.next_sequence,
       (SELECT count(*) FROM (SELECT 1 FROM message
         WHERE message.queue = queue.id AND message.{condition_of(MessageState.PUT)} LIMIT {MOST_COUNTED}))
  FROM json_each(:queues_) AS wanted CROSS JOIN queue ON queue.id = wanted.value"""
    )


@tuples
def _manager_states(names: list[str]) -> ClauseElement:
    return text(
        """SELECT name, version, run, state, clock_at FROM queue_manager
 WHERE name IN (SELECT value FROM json_each(:names_))"""
    )


def wait_states(tx: Queries, places: Iterable[WaitPlace]) -> dict[WaitPlace, WaitState]:
    """Return what waiting gets depend on, of each place; if it has not changed, none of them need look again.

    A place that is missing must be taken for changed.
    """
    wanted = set(places)
    managers = {row[0]: row for row in _manager_states(tx, [*{name for name, _ in wanted}])}
    found = _queue_states(tx, [*{queue for _, queue in wanted if queue}])
    queues = {0: (), **{row[0]: row for row in found if row[-1] < MOST_COUNTED}}
    return {
        (name, queue): (managers[name], queues[queue]) for name, queue in wanted if name in managers and queue in queues
    }


class QueueLoad(NamedTuple):
    """The depth of a local queue, the puts and gets since its statistics began, and the handles of a queue manager."""

    id: int
    name: str
    depth: int
    max_depth: int
    puts: int
    gets: int
    trigger_on: int
    input_handles: int
    output_handles: int


@rows(QueueLoad)
def loads(owner: str, qmgr: str) -> ClauseElement:
    """Return the local queues of an owner, with the handles of `qmgr`."""
    handles = (func.coalesce(each, ZERO) for each in (_n.input_handles, _n.output_handles))
    found = select(_q.id, _q.name, _q.depth, _q.max_depth, _q.puts, _q.gets, _q.trigger_on, *handles)
    found = found.select_from(queue.outerjoin(queue_member, (_n.queue == _q.id) & (_n.qmgr == qmgr)))
    return found.where(_q.owner == owner, _q.type == constant("QLOCAL"))


@mapping
def all_uncommitted() -> ClauseElement:
    """Return how many messages open units of work have put to or got from each queue that has any."""
    return select(_m.queue, func.count()).where(IN_UNIT).group_by(_m.queue)


@tuples
def kinds_since(after: int, qmgr: str) -> ClauseElement:
    """Return (kind, queue, number) of the events of a queue manager after one with this number."""
    found = select(event.c.kind, func.coalesce(event.c.queue, BLANK), func.count())
    return found.where(event.c.seq > after, event.c.qmgr == qmgr).group_by(event.c.kind, event.c.queue)


@mapping
def channel_states(qmgr: str) -> ClauseElement:
    """Return (MQCHS, number) of the channels of a queue manager that are not inactive."""
    status = channel_status.c.status
    return select(status, func.count()).where(channel_status.c.qmgr == qmgr).group_by(status)
