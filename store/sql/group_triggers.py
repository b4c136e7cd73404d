"""What the triggering of shared queues reads: the running members of the group, and committed messages."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from store.sql.clauses import IN_UNIT, OF_QUEUE, ONE, PUT_IN_UNIT, READY, ZERO, literal
from store.sql.queue_managers import ENDED
from store.sql.tables import message, queue, queue_manager, queue_member
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import Select, bindparam, func, select
from store.sqlite.statement import Statement

_m, _q, _n, _g = message.c, queue.c, queue_member.c, queue_manager.c


class RunningMember(NamedTuple):
    """A running member of a group, by what it decides about one queue, and the handles that it has open on that."""

    name: str
    number: int
    trigger_interval: int
    input_handles: int
    exclusive_handles: int
    last_trigger: int | None


_RUNNING_MEMBERS = Statement(
    select(
        _g.name,
        _g.member_number,
        _g.trigger_interval,
        func.coalesce(_n.input_handles, ZERO),
        func.coalesce(_n.exclusive_handles, ZERO),
        _n.last_trigger,
    )
    .select_from(queue_manager.outerjoin(queue_member, (_n.queue == bindparam("queue")) & (_n.qmgr == _g.name)))
    .where(_g.sharing_group == bindparam("group"), _g.state != literal(ENDED))
    .order_by(_g.member_number)
)


def running_members(tx: Queries, group: str, queue: int) -> list[RunningMember]:
    """Return the running members by number."""
    return [RunningMember._make(row) for row in tx.all(_RUNNING_MEMBERS, {"group": group, "queue": queue})]


class PutInUnit(NamedTuple):
    """A message that a unit of work put on a shared queue."""

    queue: int
    rank: int
    msg_id: bytes
    put_at: int
    offset: int


_PUT_IN_UNIT = Statement(
    select(*(_m[name] for name in PutInUnit._fields))
    .select_from(message.join(queue, _q.id == _m.queue))
    .where(
        _m.unit == bindparam("unit"),
        PUT_IN_UNIT,
        IN_UNIT,
        _q.structure != literal(""),
        _q.trigger_on == ONE,
        _q.logically_deleted == ZERO,
    )
    .order_by(_m.id)
)


def put_in_unit(tx: Transaction, unit: int) -> list[PutInUnit]:
    """Return the messages that an open unit has put on shared queues with TRIGGER, in the order of the puts."""
    return [PutInUnit._make(row) for row in tx.all(_PUT_IN_UNIT, {"unit": unit})]


_UNCOMMITTED_PUTS = Statement(select(func.count()).select_from(message).where(OF_QUEUE, PUT_IN_UNIT))


@lru_cache(maxsize=256)
def _committed(limit: int) -> Statement:
    found: Select[Any] = select(ONE).select_from(message).where(OF_QUEUE, _m.rank >= bindparam("rank"), READY)
    return Statement(select(func.count()).select_from(found.limit(literal(limit)).subquery()))


def count_committed(tx: Queries, queue: int, rank: int, limit: int) -> int:
    """Count the committed messages of at least that effective priority, up to `limit`."""
    return int(tx.value(_committed(limit), {"queue": queue, "rank": rank}))


def count_uncommitted_puts(tx: Queries, queue: int) -> int:
    """Return how many messages open units have put on the queue."""
    return int(tx.value(_UNCOMMITTED_PUTS, {"queue": queue}))


_COMMITTED_RANKS = Statement(select(_m.rank, func.count()).where(OF_QUEUE, READY).group_by(_m.rank))


def committed_by_rank(tx: Queries, queue: int) -> dict[int, int]:
    """Count the committed messages of each effective priority."""
    return dict(tx.all(_COMMITTED_RANKS, {"queue": queue}))
