"""Queues: the columns that calls read, depth, sequence, and the open handles of a queue manager."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    ClauseElement,
    Column,
    ColumnElement,
    Select,
    delete,
    func,
    not_,
    select,
    update,
)

from mqsc.store.sql.core.conditions import (
    ONE,
    ZERO,
    columns_of,
    constant,
    insert_or_update_member,
    is_blank_or_above,
    is_past,
    values_of,
)
from mqsc.store.sql.core.declaring import Placeholder, statement
from mqsc.store.sql.core.schema import queue as queue_table, queue_manager, queue_member
from mqsc.store.sql.queues import LocalQueue, QueueBeforeChange

_q = queue_table.c
_n = queue_member.c
_g = queue_manager.c


def with_member(qmgr: str) -> Select[Any]:
    """Return the SELECT of a QueueRow."""
    counts = (_n.input_handles, _n.exclusive_handles, _n.output_handles)
    query = select(queue_table, *(func.coalesce(each, ZERO) for each in counts), _n.last_trigger)
    return query.select_from(
        queue_table.outerjoin(queue_member, (_n.queue == _q.id) & (_n.qmgr == qmgr))
    )


@statement
def by_id(id: Placeholder, qmgr: Placeholder) -> ClauseElement:
    return with_member(qmgr).where(_q.id == id)


@statement
def by_name(owner: Placeholder, name: Placeholder, qmgr: Placeholder) -> ClauseElement:
    return with_member(qmgr).where(_q.owner == owner, _q.name == name)


@statement
def name_of(id: Placeholder) -> ClauseElement:
    return select(_q.name).where(_q.id == id)


@statement
def name_and_owner(id: Placeholder) -> ClauseElement:
    return select(_q.name, _q.owner).where(_q.id == id)


@statement
def hot_columns(id: Placeholder, qmgr: Placeholder) -> ClauseElement:
    return select(
        _q.version,
        _q.depth,
        _q.next_sequence,
        _q.earliest_expiry,
        _g.version,
        _g.run,
        _g.state,
        _g.clock_at,
    ).where(_q.id == id, _g.name == qmgr)


@statement
def hot_columns_of(ids: Placeholder) -> ClauseElement:
    return select(_q.id, _q.version, _q.depth, _q.next_sequence, _q.earliest_expiry).where(
        _q.id.in_(values_of(ids))
    )


@statement
def count_put_each(ids: Placeholder, now: Placeholder) -> ClauseElement:
    changed = update(queue_table).where(_q.id.in_(values_of(ids)))
    return changed.values(
        depth=_q.depth + ONE,
        next_sequence=_q.next_sequence + ONE,
        last_put_at=now,
        puts=_q.puts + ONE,
        high_depth=func.max(_q.high_depth, _q.depth + ONE),
    )


@statement
def count_puts(id: Placeholder, count: Placeholder, now: Placeholder) -> ClauseElement:
    changed = update(queue_table).where(_q.id == id)
    return changed.values(
        depth=_q.depth + count,
        next_sequence=_q.next_sequence + count,
        last_put_at=now,
        puts=_q.puts + count,
        high_depth=func.max(_q.high_depth, _q.depth + count),
    )


@statement
def lower_earliest_expiry(id: Placeholder, at: Placeholder) -> ClauseElement:
    earliest = func.min(func.coalesce(_q.earliest_expiry, at), at)
    return update(queue_table).where(_q.id == id).values(earliest_expiry=earliest)


def _averaged(average: Column[int], waited: Any, weight: int) -> ColumnElement[int]:
    """Return the moving average after one more message, which counts for 1/weight; the first
    message is the average.
    """
    share = constant(weight)
    # SQLAlchemy's own division would be floating-point.
    return func.coalesce(average - average.op("/")(share) + waited.op("/")(share), waited)


@statement
def queue_times(id: Placeholder) -> ClauseElement:
    return select(_q.short_queue_time, _q.long_queue_time).where(_q.id == id)


@statement
def count_gets(
    id: Placeholder,
    count: Placeholder,
    now: Placeholder,
    short: Placeholder,
    long: Placeholder,
) -> ClauseElement:
    counted = {"depth": _q.depth - count, "last_get_at": now, "gets": _q.gets + count}
    return (
        update(queue_table)
        .where(_q.id == id)
        .values(counted | {"short_queue_time": short, "long_queue_time": long})
    )


@statement
def count_get(id: Placeholder, now: Placeholder, waited: Placeholder) -> ClauseElement:
    changed = update(queue_table).where(_q.id == id)
    return changed.values(
        depth=_q.depth - ONE,
        last_get_at=now,
        gets=_q.gets + ONE,
        short_queue_time=_averaged(_q.short_queue_time, waited, 8),
        long_queue_time=_averaged(_q.long_queue_time, waited, 256),
    )


@statement
def change_depth(id: Placeholder, change: Placeholder, returned: Placeholder) -> ClauseElement:
    changed = update(queue_table).where(_q.id == id)
    return changed.values(
        depth=_q.depth + change,
        next_sequence=_q.next_sequence + returned,
        high_depth=func.max(_q.high_depth, _q.depth + change),
    )


@statement
def change_depth_by_move(
    id: Placeholder,
    change: Placeholder,
    next: Placeholder,
    earliest: Placeholder,
) -> ClauseElement:
    changed = update(queue_table).where(_q.id == id)
    return changed.values(
        depth=_q.depth + change,
        next_sequence=func.max(_q.next_sequence, next),
        high_depth=func.max(_q.high_depth, _q.depth + change),
        earliest_expiry=earliest,
    )


@statement
def count_handles(
    id: Placeholder,
    qmgr: Placeholder,
    input: Placeholder,
    exclusive: Placeholder,
    output: Placeholder,
) -> ClauseElement:
    added = {"input_handles": input, "exclusive_handles": exclusive, "output_handles": output}
    return insert_or_update_member(
        id,
        qmgr,
        added,
        {name: _n[name] + number for name, number in added.items()},
    )


@statement
def handles_of_all(id: Placeholder) -> ClauseElement:
    counts = (_n.input_handles, _n.exclusive_handles, _n.output_handles)
    return select(*(func.coalesce(func.sum(each), ZERO) for each in counts)).where(_n.queue == id)


@statement
def input_handles_of(id: Placeholder, qmgr: Placeholder) -> ClauseElement:
    return select(_n.input_handles, _n.last_trigger).where(_n.queue == id, _n.qmgr == qmgr)


@statement
def before_change(owner: Placeholder, name: Placeholder) -> ClauseElement:
    return select(*columns_of(queue_table, QueueBeforeChange)).where(
        _q.owner == owner, _q.name == name
    )


@statement
def remove(id: Placeholder) -> ClauseElement:
    return delete(queue_table).where(queue_table.c.id == id)


@statement
def remove_members(queue: Placeholder) -> ClauseElement:
    return delete(queue_member).where(queue_member.c.queue == queue)


@statement
def expiring(owner: Placeholder, now: Placeholder) -> ClauseElement:
    query = select(*columns_of(queue_table, LocalQueue)).where(
        _q.owner == owner,
        is_past(_q.earliest_expiry, now),
    )
    return query.order_by(_q.earliest_expiry)


@statement
def local_page(
    owner: Placeholder,
    low: Placeholder,
    high: Placeholder,
    after: Placeholder,
    limit: Placeholder,
) -> ClauseElement:
    query = select(*columns_of(queue_table, LocalQueue)).where(
        _q.owner == owner,
        _q.type == constant("QLOCAL"),
        _q.name >= low,
        _q.name > after,
        is_blank_or_above(high, _q.name),
    )
    return query.order_by(_q.name).limit(limit)


@statement
def with_messages(owner: Placeholder) -> ClauseElement:
    return select(_q.id).where(_q.owner == owner, _q.depth > ZERO).order_by(_q.name)


@statement
def message_count(owner: Placeholder) -> ClauseElement:
    is_counted = not_(_q.name.like(constant("SYSTEM.ADMIN.%")))
    return select(func.coalesce(func.sum(_q.depth), ZERO)).where(_q.owner == owner, is_counted)
