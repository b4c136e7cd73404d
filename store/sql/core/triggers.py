"""Statements for triggering: initiation queues, counts of messages by priority, members of a
sharing group.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ClauseElement, Select, case, func, literal_column, select, update

from mqsc.store.sql.core.conditions import (
    BLANK,
    IN_UNIT,
    ONE,
    PUT_IN_UNIT,
    READY,
    ZERO,
    constant,
    insert_or_update_member,
)
from mqsc.store.sql.core.declaring import Placeholder, statement
from mqsc.store.sql.core.queues import with_member
from mqsc.store.sql.core.schema import message, queue as queue_table, queue_manager, queue_member
from mqsc.store.sql.managers import ENDED
from mqsc.store.sql.triggers import InitiationQueue

_m = message.c
_q = queue_table.c
_n = queue_member.c
_g = queue_manager.c


@statement
def record(
    id: Placeholder,
    qmgr: Placeholder,
    now: Placeholder,
    depth: Placeholder,
    by_close: Placeholder,
) -> ClauseElement:
    values = {"last_trigger": now, "depth_at_trigger": depth, "trigger_repeats": by_close}
    repeats = case(
        (by_close == ZERO, ZERO),
        (_n.depth_at_trigger <= depth, _n.trigger_repeats + ONE),
        else_=ONE,
    )
    return insert_or_update_member(id, qmgr, values, {**values, "trigger_repeats": repeats})


@statement
def repeats(id: Placeholder, qmgr: Placeholder) -> ClauseElement:
    return select(_n.trigger_repeats).where(_n.queue == id, _n.qmgr == qmgr)


@statement
def forget(qmgr: Placeholder) -> ClauseElement:
    return update(queue_member).where(_n.qmgr == qmgr).values(last_trigger=None)


def _as_initiation_queue(qmgr: str, name: str) -> Select[Any]:
    own = (_q[each] for each in InitiationQueue._fields[:-1])
    query = select(*own, func.coalesce(_n.input_handles, ZERO))
    query = query.select_from(
        queue_table.outerjoin(queue_member, (_n.queue == _q.id) & (_n.qmgr == qmgr)),
    )
    return query.where(_q.name == name)


@statement
def initiation_queue(qmgr: Placeholder, name: Placeholder) -> ClauseElement:
    return _as_initiation_queue(qmgr, name).where(_q.owner == qmgr, _q.type == constant("QLOCAL"))


@statement
def initiation_queues_in_group(
    qmgr: Placeholder,
    name: Placeholder,
    group: Placeholder,
) -> ClauseElement:
    # Of any type, because a member cannot use a name that both it and the group have.
    return _as_initiation_queue(qmgr, name).add_columns(_q.type).where(_q.owner.in_((qmgr, group)))


@statement
def triggering_to(
    qmgr: Placeholder,
    initiation_queue: Placeholder,
    group: Placeholder,
) -> ClauseElement:
    query = with_member(qmgr).where(
        _q.initiation_queue == initiation_queue,
        literal_column("trigger_on = 1"),
    )
    return query.where(_q.owner.in_((qmgr, group))).order_by(_q.name)


@statement
def is_initiation_queue(owner: Placeholder, name: Placeholder) -> ClauseElement:
    return select(_q.name).where(_q.owner == owner, _q.initiation_queue == name).limit(ONE)


def _of_channels(owner: str) -> Select[Any]:
    return select(_q.initiation_queue).where(
        _q.owner == owner,
        _q.is_transmission == ONE,
        _q.initiation_queue != BLANK,
    )


@statement
def initiation_queues_of_channels(owner: Placeholder) -> ClauseElement:
    return _of_channels(owner).distinct()


@statement
def initiation_queues_of_channels_alone(owner: Placeholder) -> ClauseElement:
    others = queue_table.alias("of_others").c
    same = others.owner == _q.owner, others.initiation_queue == _q.initiation_queue
    used = select(others.id).where(*same, others.is_transmission == ZERO)
    return _of_channels(owner).where(~used.exists()).distinct()


@statement
def count_uncommitted_puts(queue: Placeholder) -> ClauseElement:
    return select(func.count()).select_from(message).where(_m.queue == queue, PUT_IN_UNIT)


@statement
def committed_by_rank(queue: Placeholder) -> ClauseElement:
    return select(_m.rank, func.count()).where(_m.queue == queue, READY).group_by(_m.rank)


@statement
def uncommitted_by_rank(queue: Placeholder) -> ClauseElement:
    return select(_m.rank, func.count()).where(_m.queue == queue, PUT_IN_UNIT).group_by(_m.rank)


@statement
def running_members(group: Placeholder, queue: Placeholder) -> ClauseElement:
    query = select(
        _g.name,
        _g.member_number,
        _g.trigger_interval,
        func.coalesce(_n.input_handles, ZERO),
        func.coalesce(_n.exclusive_handles, ZERO),
        _n.last_trigger,
    )
    query = query.select_from(
        queue_manager.outerjoin(queue_member, (_n.queue == queue) & (_n.qmgr == _g.name)),
    )
    return query.where(_g.sharing_group == group, _g.state != constant(ENDED)).order_by(
        _g.member_number,
    )


@statement
def put_in_unit(unit: Placeholder) -> ClauseElement:
    query = select(_m.queue, _m.rank, _m.msg_id, _m.put_at, _m.offset)
    query = query.select_from(message.join(queue_table, _q.id == _m.queue))
    query = query.where(
        _m.unit == unit,
        PUT_IN_UNIT,
        IN_UNIT,
        _q.structure != BLANK,
        _q.trigger_on == ONE,
        _q.logically_deleted == ZERO,
    )
    return query.order_by(_m.id)
