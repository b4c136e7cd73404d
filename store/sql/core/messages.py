"""Messages on queues: selecting, reserving, locking, moving and removing them; gets that wait
for them.
"""

from __future__ import annotations

from sqlalchemy import (
    ClauseElement,
    ColumnElement,
    case,
    delete,
    func,
    literal_column,
    or_,
    select,
    union_all,
    update,
)

from mqsc.store.sql.core.conditions import (
    GOT_IN_UNIT,
    IN_UNIT,
    ONE,
    PUT_IN_UNIT,
    READY,
    WITHOUT_BODY,
    ZERO,
    after,
    constant,
)
from mqsc.store.sql.core.declaring import Placeholder, statement
from mqsc.store.sql.core.schema import message, queue, waiter
from mqsc.store.sql.messages import BACKED_OUT_AT_ONCE
from mqsc.store.sql.rows import MessageState

_m = message.c
_q = queue.c
_w = waiter.c


@statement
def by_id(id: Placeholder) -> ClauseElement:
    return select(message).where(message.c.id == id)


@statement
def without_body(id: Placeholder) -> ClauseElement:
    return select(*WITHOUT_BODY).where(_m.id == id)


@statement
def remove(id: Placeholder) -> ClauseElement:
    return delete(message).where(message.c.id == id)


@statement
def remove_range(first: Placeholder, last: Placeholder) -> ClauseElement:
    return delete(message).where(_m.id.between(first, last))


@statement
def reserve(id: Placeholder, unit: Placeholder) -> ClauseElement:
    return _got(_m.id == id, unit)


@statement
def reserve_range(first: Placeholder, last: Placeholder, unit: Placeholder) -> ClauseElement:
    return _got(_m.id.between(first, last), unit)


def _got(which: ColumnElement[bool], unit: int) -> ClauseElement:
    got = update(message).where(which)
    return got.values(state=constant(MessageState.GOT), unit=unit, locked_by=literal_column("NULL"))


@statement
def lock(id: Placeholder, handle: Placeholder) -> ClauseElement:
    return update(message).where(_m.id == id).values(locked_by=handle)


@statement
def unlock(handle: Placeholder) -> ClauseElement:
    return (
        update(message)
        .where(_m.locked_by == handle, _m.locked_by.is_not(None))
        .values(locked_by=None)
    )


@statement
def mark(id: Placeholder, until: Placeholder) -> ClauseElement:
    return update(message).where(_m.id == id).values(marked_until=until)


@statement
def clear(queue: Placeholder) -> ClauseElement:
    # Each state has its own index; a single SELECT for all would read every message of the store.
    states = ((READY,), (PUT_IN_UNIT,), (GOT_IN_UNIT, IN_UNIT))
    ids = union_all(*(select(_m.id).where(_m.queue == queue, *state) for state in states))
    return delete(message).where(_m.id.in_(ids))


@statement
def remove_before(queue: Placeholder, below: Placeholder, limit: Placeholder) -> ClauseElement:
    ids = select(_m.id).where(_m.queue == queue, READY, _m.sequence < below).limit(limit)
    return delete(message).where(_m.id.in_(ids))


@statement
def nonpersistent(owner: Placeholder, after: Placeholder, limit: Placeholder) -> ClauseElement:
    return (
        select(*WITHOUT_BODY)
        .select_from(message.join(queue, _q.id == _m.queue))
        .where(
            _q.owner == owner,
            _q.keep_nonpersistent == ZERO,
            _m.persistence == ZERO,
            # Connections have ended: only units in doubt hold messages.
            _m.unit.is_(None),
            _m.id > after,
        )
        .order_by(_m.id)
        .limit(limit)
    )


@statement
def set_backout_count(
    queue: Placeholder,
    msg_id: Placeholder,
    backouts: Placeholder,
) -> ClauseElement:
    return (
        update(message)
        .where(_m.queue == queue, READY, _m.msg_id == msg_id)
        .values(backout_count=backouts)
    )


@statement
def set_put_at(
    queue: Placeholder,
    msg_id: Placeholder,
    put_at: Placeholder,
) -> ClauseElement:
    return (
        update(message).where(_m.queue == queue, READY, _m.msg_id == msg_id).values(put_at=put_at)
    )


@statement
def backed_out(queue: Placeholder, rank: Placeholder, sequence: Placeholder) -> ClauseElement:
    query = select(*WITHOUT_BODY)
    query = query.where(
        _m.queue == queue,
        READY,
        _m.backout_count > ZERO,
        or_(_m.rank < rank, after(rank, sequence)),
    )
    return query.order_by(_m.rank.desc(), _m.sequence).limit(constant(BACKED_OUT_AT_ONCE))


@statement
def remove_waiter(handle: Placeholder) -> ClauseElement:
    return delete(waiter).where(waiter.c.handle == handle)


def _asks(options: int) -> ColumnElement[bool]:
    return _m.report.op("&")(options) != ZERO


@statement
def move_batch(
    source: Placeholder,
    below: Placeholder,
    limit: Placeholder,
    asking: Placeholder,
) -> ClauseElement:
    query = select(_m.sequence, _m.length, _m.expires_at, _asks(asking).label("asks"))
    query = query.where(_m.queue == source, READY, _m.sequence < below).order_by(_m.sequence)
    batch = query.limit(limit).subquery("batch").c
    return select(
        func.count(),
        func.coalesce(func.min(batch.sequence), ZERO),
        func.coalesce(func.max(batch.sequence), ZERO),
        func.coalesce(func.max(batch.length), ZERO),
        func.min(batch.expires_at),
        func.coalesce(func.sum(batch.asks), ZERO),
    )


@statement
def move(
    source: Placeholder,
    last: Placeholder,
    target: Placeholder,
    shift: Placeholder,
    fifo: Placeholder,
    default_priority: Placeholder,
) -> ClauseElement:
    rank = case((fifo == ONE, default_priority), else_=func.min(_m.priority, constant(9)))
    moved = update(message).where(_m.queue == source, READY, _m.sequence <= last)
    return moved.values(queue=target, sequence=_m.sequence + shift, rank=rank)


def _moved(target: int, first: int, last: int) -> tuple[ColumnElement[bool], ...]:
    return _m.queue == target, READY, _m.sequence.between(first, last)


@statement
def moved_ranks(target: Placeholder, first: Placeholder, last: Placeholder) -> ClauseElement:
    return select(_m.rank).where(*_moved(target, first, last)).order_by(_m.sequence)


@statement
def moved_asking(
    target: Placeholder,
    first: Placeholder,
    last: Placeholder,
    options: Placeholder,
) -> ClauseElement:
    return select(_m.id).where(*_moved(target, first, last), _asks(options)).order_by(_m.sequence)


@statement
def ids_between(
    queue: Placeholder,
    low: Placeholder,
    high: Placeholder,
    limit: Placeholder,
) -> ClauseElement:
    query = select(_m.msg_id).where(_m.queue == queue, READY, _m.msg_id.between(low, high))
    return query.distinct().order_by(_m.msg_id).limit(limit)
