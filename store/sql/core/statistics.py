"""The status and statistics of queues: oldest message, uncommitted messages, counts since a
reset, waiting gets.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ClauseElement, ColumnElement, func, or_, select, text, update

from mqsc.store.sql.core.conditions import (
    BLANK,
    IN_UNIT,
    ONE,
    PUT_IN_UNIT,
    READY,
    ZERO,
    constant,
    insert_or_update_member,
    values_of,
)
from mqsc.store.sql.core.declaring import Placeholder, statement
from mqsc.store.sql.core.schema import (
    channel_status,
    connection,
    event,
    message,
    object_,
    prepared_unit,
    queue as queue_table,
    queue_member,
)
from mqsc.store.sql.rows import UNIT_BITS, MessageState, condition_of
from mqsc.store.sql.statistics import HIGHEST_RANK, MOST_COUNTED, QueueStatisticsRow

_q = queue_table.c
_n = queue_member.c
_m = message.c
_o = object_.c
_c = connection.c
_u = prepared_unit.c


@statement
def oldest(queue: Placeholder) -> ClauseElement:
    # Later than any moment.
    never = constant(2**62)

    def first_put(*conditions: ColumnElement[bool]) -> ColumnElement[int]:
        first = (
            select(_m.put_at).where(_m.queue == queue, *conditions).order_by(_m.sequence).limit(ONE)
        )
        return func.coalesce(first.scalar_subquery(), never)

    # One lookup in an index for each effective priority instead of reading the whole queue.
    of_ranks = (first_put(_m.rank == constant(rank), READY) for rank in range(HIGHEST_RANK + 1))
    return select(func.nullif(func.min(*of_ranks, first_put(PUT_IN_UNIT)), never))


@statement
def page(
    owner: Placeholder,
    low: Placeholder,
    high: Placeholder,
    limit: Placeholder,
    qmgr: Placeholder,
) -> ClauseElement:
    derived = {
        "input_handles": func.coalesce(_n.input_handles, ZERO),
        "output_handles": func.coalesce(_n.output_handles, ZERO),
        "statistics_since": func.coalesce(_q.statistics_reset_at, _o.created_at),
        "monitoring": func.coalesce(
            func.json_extract(_o.attributes, constant("$.MONQ")),
            constant("QMGR"),
        ),
        "disposition": _o.disposition,
    }
    query = select(
        *(derived[name] if name in derived else _q[name] for name in QueueStatisticsRow._fields),
    )
    query = query.select_from(
        queue_table.join(
            object_,
            (_o.owner == _q.owner) & (_o.namespace == constant("queue")) & (_o.name == _q.name),
        ).outerjoin(queue_member, (_n.queue == _q.id) & (_n.qmgr == qmgr)),
    )
    query = query.where(
        _q.owner == owner,
        _q.type == constant("QLOCAL"),
        _q.name >= low,
        _q.name < high,
    )
    return query.order_by(_q.name).limit(limit)


@statement
def uncommitted(queues: Placeholder) -> ClauseElement:
    query = select(_m.queue, func.count()).where(
        _m.unit.is_not(None),
        IN_UNIT,
        _m.queue.in_(values_of(queues)),
    )
    return query.group_by(_m.queue)


@statement
def uncommitted_of_member(queue: Placeholder, qmgr: Placeholder) -> ClauseElement:
    return select(func.count()).where(
        _m.queue == queue,
        _m.unit.is_not(None),
        IN_UNIT,
        or_(
            _m.unit.op(">>")(constant(UNIT_BITS)).in_(select(_c.id).where(_c.qmgr == qmgr)),
            _m.unit.in_(select(_u.number).where(_u.qmgr == qmgr)),
        ),
    )


def _reset_from(depth: Any, now: Placeholder) -> dict[str, Any]:
    return {"puts": ZERO, "gets": ZERO, "high_depth": depth, "statistics_reset_at": now}


@statement
def reset_all(qmgr: Placeholder, now: Placeholder) -> ClauseElement:
    own = update(queue_table).where(_q.owner == qmgr, _q.type == constant("QLOCAL"))
    return own.values(_reset_from(_q.depth, now))


@statement
def reset_shares(qmgr: Placeholder, now: Placeholder) -> ClauseElement:
    depth = select(_q.depth).where(_q.id == _n.queue).scalar_subquery()
    shared = select(_q.id).where(_q.structure != BLANK)
    return (
        update(queue_member)
        .where(_n.qmgr == qmgr, _n.queue.in_(shared))
        .values(_reset_from(depth, now))
    )


@statement
def reset(id: Placeholder, now: Placeholder) -> ClauseElement:
    return update(queue_table).where(_q.id == id).values(_reset_from(_q.depth, now))


@statement
def of_member(queue: Placeholder, qmgr: Placeholder) -> ClauseElement:
    return select(
        _n.puts,
        _n.gets,
        _n.high_depth,
        _n.statistics_reset_at,
        _n.last_put_at,
        _n.last_get_at,
    ).where(
        _n.queue == queue,
        _n.qmgr == qmgr,
    )


@statement
def count_member_puts(
    queue: Placeholder,
    qmgr: Placeholder,
    count: Placeholder,
    depth: Placeholder,
    now: Placeholder,
) -> ClauseElement:
    values = {"puts": count, "high_depth": depth, "last_put_at": now}
    counted = {"puts": _n.puts + count, "high_depth": func.max(_n.high_depth, depth)}
    return insert_or_update_member(queue, qmgr, values, {**values, **counted})


@statement
def count_member_get(queue: Placeholder, qmgr: Placeholder, now: Placeholder) -> ClauseElement:
    return insert_or_update_member(
        queue,
        qmgr,
        {"gets": ONE, "last_get_at": now},
        {"gets": _n.gets + ONE, "last_get_at": now},
    )


@statement
def reset_member(id: Placeholder, qmgr: Placeholder, now: Placeholder) -> ClauseElement:
    reset = _reset_from(select(_q.depth).where(_q.id == id).scalar_subquery(), now)
    return insert_or_update_member(
        id,
        qmgr,
        {name: reset[name] for name in ("high_depth", "statistics_reset_at")},
        reset,
    )


@statement
def queue_states(queues: Placeholder) -> ClauseElement:
    # The sequence number is raised by everything that makes a message available, except by the
    # commit of a unit of work, which lowers the number of uncommitted messages.
    return text(
        f"""SELECT queue.id, queue.version, queue.next_sequence,
       (SELECT count(*) FROM (SELECT 1 FROM message
         WHERE message.queue = queue.id AND message.{condition_of(MessageState.PUT)} LIMIT {MOST_COUNTED}))
  FROM json_each(:queues_) AS wanted CROSS JOIN queue ON queue.id = wanted.value""",
    )


@statement
def manager_states(names: Placeholder) -> ClauseElement:
    return text(
        """SELECT name, version, run, state, clock_at FROM queue_manager
 WHERE name IN (SELECT value FROM json_each(:names_))""",
    )


@statement
def loads(owner: Placeholder, qmgr: Placeholder) -> ClauseElement:
    handles = (func.coalesce(each, ZERO) for each in (_n.input_handles, _n.output_handles))
    query = select(
        _q.id,
        _q.name,
        _q.depth,
        _q.max_depth,
        _q.puts,
        _q.gets,
        _q.trigger_on,
        *handles,
    )
    query = query.select_from(
        queue_table.outerjoin(queue_member, (_n.queue == _q.id) & (_n.qmgr == qmgr)),
    )
    return query.where(_q.owner == owner, _q.type == constant("QLOCAL"))


@statement
def all_uncommitted() -> ClauseElement:
    return select(_m.queue, func.count()).where(IN_UNIT).group_by(_m.queue)


@statement
def kinds_since(after: Placeholder, qmgr: Placeholder) -> ClauseElement:
    query = select(event.c.kind, func.coalesce(event.c.queue, BLANK), func.count())
    return query.where(event.c.seq > after, event.c.qmgr == qmgr).group_by(
        event.c.kind,
        event.c.queue,
    )


@statement
def channel_states(qmgr: Placeholder) -> ClauseElement:
    status = channel_status.c.status
    return select(status, func.count()).where(channel_status.c.qmgr == qmgr).group_by(status)
