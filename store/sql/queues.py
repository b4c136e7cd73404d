"""Queues: the row that is lock, counter and sequence, and what a queue manager holds open of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Column, ColumnElement, bindparam, case, func, literal_column, or_, select, update
from sqlalchemy.dialects.sqlite import insert

from store.sql.rows import QueueRow
from store.sql.schema import queue, queue_manager, queue_member
from store.sqlite.database import Queries, Transaction
from store.sqlite.statement import Statement

_q = queue.c
_n = queue_member.c

_WITH_MEMBER = select(
    queue,
    func.coalesce(_n.input_handles, literal_column("0")),
    func.coalesce(_n.exclusive_handles, literal_column("0")),
    func.coalesce(_n.output_handles, literal_column("0")),
    _n.last_trigger,
).select_from(queue.outerjoin(queue_member, (_n.queue == _q.id) & (_n.qmgr == bindparam("qmgr"))))
_BY_ID = Statement(_WITH_MEMBER.where(_q.id == bindparam("id")))
_BY_NAME = Statement(_WITH_MEMBER.where(_q.owner == bindparam("owner"), _q.name == bindparam("name")))


def by_id(tx: Queries, id: int, qmgr: str) -> QueueRow | None:
    """The queue with that number, with what `qmgr` holds open of it; None when it was deleted."""
    row = tx.one(_BY_ID, {"id": id, "qmgr": qmgr})
    return None if row is None else QueueRow(*row)


def by_name(tx: Queries, owner: str, name: str) -> QueueRow | None:
    """The queue object of that name, of any type, or None."""
    row = tx.one(_BY_NAME, {"owner": owner, "name": name, "qmgr": owner})
    return None if row is None else QueueRow(*row)


NAME = Statement(select(_q.name).where(_q.id == bindparam("id")))

_GLANCE = Statement(
    select(
        _q.version,
        _q.depth,
        _q.next_sequence,
        _q.earliest_expiry,
        queue_manager.c.version,
        queue_manager.c.run,
        queue_manager.c.state,
        queue_manager.c.clock_at,
    ).where(_q.id == bindparam("id"), queue_manager.c.name == bindparam("qmgr")),
    "id qmgr",
)


# Version, depth, next sequence and earliest expiry of a queue; version, run, state and manual clock of a queue manager.
HotColumns = tuple[int, int, int, int | None, int, int, str, int | None]


def read_hot_columns(tx: Transaction, id: int, qmgr: str) -> HotColumns | None:
    """What every call must read anew; None when the queue or the queue manager is gone."""
    return tx.one_positional(_GLANCE, id, qmgr)  # type: ignore[no-any-return]


_ARRIVED = Statement(
    update(queue)
    .where(_q.id == bindparam("queue"))
    .values(
        depth=_q.depth + bindparam("count"),
        next_sequence=_q.next_sequence + bindparam("count"),
        last_put_at=bindparam("now"),
        puts=_q.puts + bindparam("count"),
        high_depth=func.max(_q.high_depth, _q.depth + bindparam("count")),
    ),
    "count count now count count queue",
)
_EXPIRES = Statement(
    update(queue)
    .where(_q.id == bindparam("queue"))
    .values(earliest_expiry=func.min(func.coalesce(_q.earliest_expiry, bindparam("at")), bindparam("at")))
)


def _averaged(average: Column[int], weight: int) -> ColumnElement[int]:
    """The moving average with one more message in it, which counts for 1/weight; the first message is the average."""
    waited: BindParameter[int] = bindparam("waited")
    # The operator of SQLAlchemy would divide as floating point.
    share: ColumnElement[int] = literal_column(str(weight))
    return func.coalesce(average - average.op("/")(share) + waited.op("/")(share), waited)


_GOT = Statement(
    update(queue)
    .where(_q.id == bindparam("queue"))
    .values(
        depth=_q.depth - literal_column("1"),
        last_get_at=bindparam("now"),
        gets=_q.gets + literal_column("1"),
        short_queue_time=_averaged(_q.short_queue_time, 8),
        long_queue_time=_averaged(_q.long_queue_time, 256),
    ),
    "now waited waited waited waited queue",
)
_DEPTH = Statement(
    update(queue)
    .where(_q.id == bindparam("queue"))
    .values(depth=_q.depth + bindparam("change"), high_depth=func.max(_q.high_depth, _q.depth + bindparam("change")))
)


def arrived(tx: Transaction, id: int, count: int, now: int) -> None:
    """`count` messages were put: depth, sequence, statistics."""
    tx.run_positional(_ARRIVED, count, count, now, count, count, id)


def expires_no_later(tx: Transaction, id: int, at: int) -> None:
    """A message that expires at `at` is on the queue now."""
    tx.run(_EXPIRES, {"queue": id, "at": at})


def got(tx: Transaction, id: int, now: int, waited: int) -> None:
    """A message was got that had been on the queue for `waited` microseconds: depth, statistics."""
    tx.run_positional(_GOT, now, waited, waited, waited, waited, id)


def change_depth(tx: Transaction, id: int, change: int) -> None:
    """Messages came back (positive) or went away without a get (negative)."""
    tx.run(_DEPTH, {"queue": id, "change": change})


_OPENED = Statement(
    insert(queue_member)
    .values(
        queue=bindparam("queue"),
        qmgr=bindparam("qmgr"),
        input_handles=bindparam("input"),
        exclusive_handles=bindparam("exclusive"),
        output_handles=bindparam("output"),
    )
    .on_conflict_do_update(
        index_elements=["queue", "qmgr"],
        set_={
            "input_handles": _n.input_handles + bindparam("input"),
            "exclusive_handles": _n.exclusive_handles + bindparam("exclusive"),
            "output_handles": _n.output_handles + bindparam("output"),
        },
    )
)


def count_handles(tx: Transaction, id: int, qmgr: str, *, input: int, exclusive: int, output: int) -> None:
    """Add to (or, negative, take from) the numbers of open handles that `qmgr` holds on the queue."""
    tx.run(_OPENED, {"queue": id, "qmgr": qmgr, "input": input, "exclusive": exclusive, "output": output})


_TRIGGERED = Statement(
    insert(queue_member)
    .values(
        queue=bindparam("queue"),
        qmgr=bindparam("qmgr"),
        last_trigger=bindparam("at"),
        depth_at_trigger=bindparam("depth"),
        trigger_repeats=bindparam("by_close"),
    )
    .on_conflict_do_update(
        index_elements=["queue", "qmgr"],
        set_={
            "last_trigger": bindparam("at"),
            "trigger_repeats": case(
                (bindparam("by_close") == literal_column("0"), literal_column("0")),
                (_n.depth_at_trigger <= bindparam("depth"), _n.trigger_repeats + literal_column("1")),
                else_=literal_column("1"),
            ),
            "depth_at_trigger": bindparam("depth"),
        },
    )
)
_REPEATS = Statement(select(_n.trigger_repeats).where(_n.queue == bindparam("queue"), _n.qmgr == bindparam("qmgr")))
_FORGET_TRIGGERS = Statement(update(queue_member).where(_n.qmgr == bindparam("owner")).values(last_trigger=None))


def triggered(tx: Transaction, id: int, qmgr: str, now: int, depth: int, *, by_close: bool) -> None:
    """A trigger message was generated for the queue: the TRIGINT interval runs from here."""
    values = {"queue": id, "qmgr": qmgr, "at": now, "depth": depth, "by_close": int(by_close)}
    tx.run(_TRIGGERED, values)


def trigger_repeats(tx: Queries, id: int, qmgr: str) -> int:
    """How often in a row a close triggered without the depth having fallen since the trigger message before."""
    return int(tx.value(_REPEATS, {"queue": id, "qmgr": qmgr}) or 0)


def forget_triggers(tx: Transaction, qmgr: str) -> None:
    """The queue manager was restarted: TRIGINT counts as elapsed."""
    tx.run(_FORGET_TRIGGERS, {"owner": qmgr})


class InitiationQueue(NamedTuple):
    """What triggering asks of the local queue that an INITQ names."""

    name: str
    get_enabled: int
    put_enabled: int
    is_transmission: int
    logically_deleted: int
    default_priority: int
    input_handles: int


_INITIATION_QUEUE = Statement(
    select(
        _q.name,
        _q.get_enabled,
        _q.put_enabled,
        _q.is_transmission,
        _q.logically_deleted,
        _q.default_priority,
        func.coalesce(_n.input_handles, literal_column("0")),
    )
    .select_from(queue.outerjoin(queue_member, (_n.queue == _q.id) & (_n.qmgr == _q.owner)))
    .where(_q.owner == bindparam("owner"), _q.name == bindparam("name"), _q.type == literal_column("'QLOCAL'"))
)
_TRIGGERING_TO = Statement(
    _WITH_MEMBER.where(
        _q.owner == bindparam("owner"),
        _q.initiation_queue == bindparam("initiation_queue"),
        literal_column("trigger_on = 1"),
    ).order_by(_q.name)
)
_NAMING = Statement(
    select(_q.name)
    .where(_q.owner == bindparam("owner"), _q.initiation_queue == bindparam("initiation_queue"))
    .limit(literal_column("1"))
)
_HELD = Statement(
    select(
        func.coalesce(func.sum(_n.input_handles), literal_column("0")),
        func.coalesce(func.sum(_n.exclusive_handles), literal_column("0")),
    ).where(_n.queue == bindparam("queue"))
)


def initiation_queue(tx: Queries, owner: str, name: str) -> InitiationQueue | None:
    """The local queue of that name as an initiation queue, or None; read with every put that might trigger."""
    row = tx.one(_INITIATION_QUEUE, {"owner": owner, "name": name})
    return None if row is None else InitiationQueue._make(row)


def triggering_to(tx: Transaction, owner: str, initiation_queue: str) -> list[QueueRow]:
    """The queues with TRIGGER on that name `initiation_queue` as theirs, by name."""
    rows = tx.all(_TRIGGERING_TO, {"owner": owner, "initiation_queue": initiation_queue, "qmgr": owner})
    return [QueueRow(*row) for row in rows]


def is_initiation_queue(tx: Queries, owner: str, name: str) -> bool:
    """Whether any queue names this one as its INITQ, with TRIGGER on or not."""
    return tx.one(_NAMING, {"owner": owner, "initiation_queue": name}) is not None


def handles_of_all(tx: Transaction, id: int) -> tuple[int, int]:
    """(input handles, exclusive ones) that all queue managers together hold on the queue."""
    input_handles, exclusive = tx.one(_HELD, {"queue": id})
    return int(input_handles), int(exclusive)


_HELD_BY = Statement(
    select(_n.input_handles, _n.last_trigger).where(_n.queue == bindparam("queue"), _n.qmgr == bindparam("qmgr"))
)


def held_by(tx: Transaction, id: int, qmgr: str) -> tuple[int, int | None]:
    """(input handles that `qmgr` holds on the queue, when it last made a trigger message for it)."""
    return tx.one(_HELD_BY, {"queue": id, "qmgr": qmgr}) or (0, None)


_UPDATES: dict[tuple[str, ...], Statement] = {}


def set_columns(tx: Transaction, id: int, values: Mapping[str, Any]) -> None:
    """Write columns of the queue row."""
    names = tuple(sorted(values))
    if names not in _UPDATES:
        _UPDATES[names] = Statement(
            update(queue)
            .where(_q.id == bindparam("queue_number"))
            .values({**{name: bindparam(name) for name in names}, "version": _q.version + literal_column("1")})
        )
    tx.run(_UPDATES[names], {**values, "queue_number": id})


_LOCAL_PAGE = Statement(
    _WITH_MEMBER.where(
        _q.owner == bindparam("owner"),
        _q.type == literal_column("'QLOCAL'"),
        _q.name >= bindparam("low"),
        _q.name > bindparam("after"),
        or_(bindparam("high") == literal_column("''"), _q.name < bindparam("high")),
    )
    .order_by(_q.name)
    .limit(bindparam("limit"))
)
_EXPIRING = Statement(
    select(_q.id, _q.name)
    .where(_q.owner == bindparam("owner"), _q.earliest_expiry <= bindparam("now"), _q.earliest_expiry.is_not(None))
    .order_by(_q.earliest_expiry)
)


def expiring(tx: Queries, owner: str, now: int) -> list[tuple[int, str]]:
    """(id, name) of queues that may hold a message past its expiry; costs nothing for queues that do not."""
    return tx.all(_EXPIRING, {"owner": owner, "now": now})


def local_page(tx: Queries, owner: str, low: str, high: str, after: str, limit: int) -> list[QueueRow]:
    """A page of local queues by name: from `low`, below `high` (unless blank), greater than `after`."""
    values = {"owner": owner, "low": low, "high": high, "after": after, "limit": limit, "qmgr": owner}
    return [QueueRow(*row) for row in tx.all(_LOCAL_PAGE, values)]
