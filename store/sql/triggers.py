"""Statements for triggering: initiation queues, counts of messages by priority, members of a sharing group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from store.sql.core import *
from store.sql.managers import ENDED
from store.sql.queues import with_member
from store.sql.rows import MessageState, QueueRow
from store.sql.statements import KnownStatement, change, column, exists, mapping, row, rows, tuples, value
from store.sqlite.database import Queries

_m, _q, _n, _g = message.c, queue.c, queue_member.c, queue_manager.c


@change
def record(id: int, qmgr: str, now: int, depth: int, by_close: Any) -> ClauseElement:
    """Record that a trigger message was generated for the queue; the TRIGINT interval starts now."""
    values = {"last_trigger": now, "depth_at_trigger": depth, "trigger_repeats": by_close}
    repeats = case((by_close == ZERO, ZERO), (_n.depth_at_trigger <= depth, _n.trigger_repeats + ONE), else_=ONE)
    return insert_or_update_member(id, qmgr, values, {**values, "trigger_repeats": repeats})


@value(int)
def repeats(id: int, qmgr: str) -> ClauseElement:
    """Return how many closes in a row have triggered without the depth having fallen in between."""
    return select(_n.trigger_repeats).where(_n.queue == id, _n.qmgr == qmgr)


@change
def forget(qmgr: str) -> ClauseElement:
    """Treat TRIGINT as elapsed for every queue, as after a restart of the queue manager."""
    return update(queue_member).where(_n.qmgr == qmgr).values(last_trigger=None)


class InitiationQueue(NamedTuple):
    """The local queue that an INITQ names, as far as triggering needs it; the handles are those of one member."""

    owner: str
    name: str
    get_enabled: int
    put_enabled: int
    is_transmission: int
    logically_deleted: int
    default_priority: int
    input_handles: int


def _as_initiation_queue(qmgr: str, name: str) -> Select[Any]:
    own = (_q[each] for each in InitiationQueue._fields[:-1])
    found = select(*own, func.coalesce(_n.input_handles, ZERO))
    found = found.select_from(queue.outerjoin(queue_member, (_n.queue == _q.id) & (_n.qmgr == qmgr)))
    return found.where(_q.name == name)


@row(InitiationQueue)
def _initiation_queue(qmgr: str, name: str) -> ClauseElement:
    return _as_initiation_queue(qmgr, name).where(_q.owner == qmgr, _q.type == constant("QLOCAL"))


@tuples
def _initiation_queues_in_group(qmgr: str, name: str, group: str) -> ClauseElement:
    # Of any type, because a member cannot use a name that both it and the group have.
    return _as_initiation_queue(qmgr, name).add_columns(_q.type).where(_q.owner.in_((qmgr, group)))


def initiation_queue(tx: Queries, qmgr: str, name: str, group: str = "") -> InitiationQueue | None:
    """Return the local queue of that name as an initiation queue, or None; every put that may trigger calls it.

    A member of `group` finds its own queues and shared ones, but none that both have (2343).
    """
    if not group:
        return _initiation_queue(tx, qmgr, name)
    found = _initiation_queues_in_group(tx, qmgr, name, group)
    if len(found) != 1 or found[0][-1] != "QLOCAL":
        return None
    return InitiationQueue._make(found[0][:-1])


@rows(QueueRow)
def triggering_to(qmgr: str, initiation_queue: str, group: str = "") -> ClauseElement:
    """Return the queues with TRIGGER and this INITQ, by name: those of `qmgr`, and the shared ones of its group."""
    found = with_member(qmgr).where(_q.initiation_queue == initiation_queue, literal_column("trigger_on = 1"))
    return found.where(_q.owner.in_((qmgr, group))).order_by(_q.name)


@exists
def is_initiation_queue(owner: str, name: str) -> ClauseElement:
    """Return whether any queue has this one as its INITQ, with TRIGGER or NOTRIGGER."""
    return select(_q.name).where(_q.owner == owner, _q.initiation_queue == name).limit(ONE)


def _of_channels(owner: str) -> Select[Any]:
    return select(_q.initiation_queue).where(_q.owner == owner, _q.is_transmission == ONE, _q.initiation_queue != BLANK)


@column(str)
def initiation_queues_of_channels(owner: str) -> ClauseElement:
    """Return the initiation queues of the transmission queues."""
    return _of_channels(owner).distinct()


@column(str)
def initiation_queues_of_channels_alone(owner: str) -> ClauseElement:
    """Return the same without those that other queues use, too: a trigger monitor reads them."""
    others = queue.alias("of_others").c
    same = others.owner == _q.owner, others.initiation_queue == _q.initiation_queue
    used = select(others.id).where(*same, others.is_transmission == ZERO)
    return _of_channels(owner).where(~used.exists()).distinct()


@lru_cache(maxsize=256)
def _count_of_rank(state: MessageState, limit: int) -> KnownStatement:
    def build() -> ClauseElement:
        found: Select[Any] = select(ONE).select_from(message)
        found = found.where(_m.queue == bindparam("queue"), _m.rank >= bindparam("rank"), in_state(state))
        return select(func.count()).select_from(found.limit(constant(limit)).subquery())

    return KnownStatement(f"count of rank {state.name} {limit}", build)


def usual_statements() -> Iterator[KnownStatement]:
    """Yield what a trigger counts by default."""
    for state in (MessageState.AVAILABLE, MessageState.PUT):
        yield _count_of_rank(state, 1)


def count_committed(tx: Queries, queue: int, rank: int, limit: int) -> int:
    """Count the committed messages of at least that effective priority, up to `limit`."""
    return int(tx.value(_count_of_rank(MessageState.AVAILABLE, limit), {"queue": queue, "rank": rank}))


def count_of_rank(tx: Queries, queue: int, rank: int, limit: int) -> int:
    """Count the messages of at least that effective priority, available or put by an open unit, up to `limit`."""
    available = count_committed(tx, queue, rank, limit)
    if available >= limit:
        return available
    put = tx.value(_count_of_rank(MessageState.PUT, limit), {"queue": queue, "rank": rank})
    return min(limit, available + int(put))


@value(int)
def count_uncommitted_puts(queue: int) -> ClauseElement:
    """Return how many messages open units have put on the queue."""
    return select(func.count()).select_from(message).where(_m.queue == queue, PUT_IN_UNIT)


@mapping
def committed_by_rank(queue: int) -> ClauseElement:
    """Count the committed messages of each effective priority."""
    return select(_m.rank, func.count()).where(_m.queue == queue, READY).group_by(_m.rank)


@mapping
def _uncommitted_by_rank(queue: int) -> ClauseElement:
    return select(_m.rank, func.count()).where(_m.queue == queue, PUT_IN_UNIT).group_by(_m.rank)


def counts_by_rank(tx: Queries, queue: int) -> dict[int, int]:
    """Count the messages of each effective priority, available or put by an open unit."""
    return Counter(committed_by_rank(tx, queue)) + Counter(_uncommitted_by_rank(tx, queue))


class RunningMember(NamedTuple):
    """A running member of a group, by what it decides about one queue, and the handles that it has open on that."""

    name: str
    number: int
    trigger_interval: int
    input_handles: int
    exclusive_handles: int
    last_trigger: int | None


@rows(RunningMember)
def running_members(group: str, queue: int) -> ClauseElement:
    """Return the running members by number."""
    found = select(
        _g.name, _g.member_number, _g.trigger_interval, func.coalesce(_n.input_handles, ZERO),
        func.coalesce(_n.exclusive_handles, ZERO), _n.last_trigger,
    )  # fmt: skip
    found = found.select_from(queue_manager.outerjoin(queue_member, (_n.queue == queue) & (_n.qmgr == _g.name)))
    return found.where(_g.sharing_group == group, _g.state != constant(ENDED)).order_by(_g.member_number)


@tuples
def put_in_unit(unit: int) -> ClauseElement:
    """Return the messages that an open unit has put on shared queues with TRIGGER, in the order of the puts.

    Each has the values of `store.rules.trigger.occasions.Committed`.
    """
    found = select(_m.queue, _m.rank, _m.msg_id, _m.put_at, _m.offset)
    found = found.select_from(message.join(queue, _q.id == _m.queue))
    found = found.where(
        _m.unit == unit, PUT_IN_UNIT, IN_UNIT, _q.structure != BLANK, _q.trigger_on == ONE, _q.logically_deleted == ZERO
    )
    return found.order_by(_m.id)
