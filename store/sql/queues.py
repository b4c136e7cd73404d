"""Queues: depth, sequence and statistics, columns that calls read, and the open handles of a queue manager."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from store.sql.clauses import ONE, ZERO, is_past, literal
from store.sql.rows import ManagerRow, QueueRow
from store.sql.tables import queue, queue_manager, queue_member
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import (
    BindParameter,
    Column,
    ColumnElement,
    bindparam,
    case,
    exists,
    func,
    literal_column,
    or_,
    select,
    sqlite_insert,
    update,
)
from store.sqlite.statement import Statement, update_text

_q = queue.c
_n = queue_member.c

_WITH_MEMBER = select(
    queue,
    func.coalesce(_n.input_handles, ZERO),
    func.coalesce(_n.exclusive_handles, ZERO),
    func.coalesce(_n.output_handles, ZERO),
    _n.last_trigger,
).select_from(queue.outerjoin(queue_member, (_n.queue == _q.id) & (_n.qmgr == bindparam("qmgr"))))
_BY_ID = Statement(_WITH_MEMBER.where(_q.id == bindparam("id")))
_BY_NAME = Statement(_WITH_MEMBER.where(_q.owner == bindparam("owner"), _q.name == bindparam("name")))


def by_id(tx: Queries, id: int, qmgr: str) -> QueueRow | None:
    """Return the queue with that number and the handles of `qmgr` on it; None when it has been deleted."""
    row = tx.one(_BY_ID, {"id": id, "qmgr": qmgr})
    return None if row is None else QueueRow(*row)


def by_name(tx: Queries, owner: str, name: str, qmgr: str = "") -> QueueRow | None:
    """Return the queue object of that name, of any type, or None.

    The handles are those of `qmgr`, which must be given when `owner` is a queue-sharing group.
    """
    row = tx.one(_BY_NAME, {"owner": owner, "name": name, "qmgr": qmgr or owner})
    return None if row is None else QueueRow(*row)


def visible(tx: Queries, qmgr: ManagerRow, name: str) -> QueueRow | None:
    """Return the queue manager's own queue object of that name, else the shared queue of its group, or None."""
    own = by_name(tx, qmgr.name, name)
    if own is None and qmgr.sharing_group:
        return by_name(tx, qmgr.sharing_group, name, qmgr.name)
    return own


NAME = Statement(select(_q.name).where(_q.id == bindparam("id")))
_NAME_AND_OWNER = Statement(select(_q.name, _q.owner).where(_q.id == bindparam("id")))


def name_and_owner(tx: Queries, id: int) -> tuple[str, str]:
    """Return the name and the owner of the queue with that number, which must exist."""
    row = tx.one(_NAME_AND_OWNER, {"id": id})
    assert row is not None
    return row[0], row[1]


_HOT_COLUMNS = Statement(
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


# Version, depth, next sequence number and earliest expiry of a queue; version, run, state and manual clock of a queue
# manager.
HotColumns = tuple[int, int, int, int | None, int, int, str, int | None]


def read_hot_columns(tx: Queries, id: int, qmgr: str) -> HotColumns | None:
    """Return the columns that every call reads anew; None when the queue or the queue manager has been deleted."""
    return tx.execute(_HOT_COLUMNS.text, (id, qmgr)).fetchone()  # type: ignore[no-any-return]


_COUNT_PUTS = Statement(
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
_LOWER_EARLIEST_EXPIRY = Statement(
    update(queue)
    .where(_q.id == bindparam("queue"))
    .values(earliest_expiry=func.min(func.coalesce(_q.earliest_expiry, bindparam("at")), bindparam("at")))
)


def _averaged(average: Column[int], weight: int) -> ColumnElement[int]:
    """Return the moving average after one more message, which counts for 1/weight; the first message is the average."""
    waited: BindParameter[int] = bindparam("waited")
    share = literal(weight)
    # SQLAlchemy's own division would be floating-point.
    return func.coalesce(average - average.op("/")(share) + waited.op("/")(share), waited)


_COUNT_GET = Statement(
    update(queue)
    .where(_q.id == bindparam("queue"))
    .values(
        depth=_q.depth - ONE,
        last_get_at=bindparam("now"),
        gets=_q.gets + ONE,
        short_queue_time=_averaged(_q.short_queue_time, 8),
        long_queue_time=_averaged(_q.long_queue_time, 256),
    ),
    "now waited waited waited waited queue",
)
_CHANGE_DEPTH = Statement(
    update(queue)
    .where(_q.id == bindparam("queue"))
    .values(
        depth=_q.depth + bindparam("change"),
        next_sequence=_q.next_sequence + bindparam("returned"),
        high_depth=func.max(_q.high_depth, _q.depth + bindparam("change")),
    )
)


def count_puts(tx: Transaction, id: int, count: int, now: int) -> None:
    """Count `count` puts: depth, sequence number, statistics."""
    tx.execute(_COUNT_PUTS.text, (count, count, now, count, count, id))


def lower_earliest_expiry(tx: Transaction, id: int, at: int) -> None:
    """Take account of a message that expires at `at`."""
    tx.run(_LOWER_EARLIEST_EXPIRY, {"queue": id, "at": at})


def count_get(tx: Transaction, id: int, now: int, waited: int) -> None:
    """Count the get of a message that was on the queue for `waited` microseconds: depth, statistics."""
    tx.execute(_COUNT_GET.text, (now, waited, waited, waited, waited, id))


def change_depth(tx: Transaction, id: int, change: int, returned: int = 0) -> None:
    """Add `change` to the depth without counting puts or gets.

    `returned` messages became available again: the sequence number is raised, so that waiting gets notice.
    """
    tx.run(_CHANGE_DEPTH, {"queue": id, "change": change, "returned": returned})


_COUNT_HANDLES = Statement(
    sqlite_insert(queue_member)
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
    """Add to the numbers of open handles that `qmgr` holds on the queue; negative numbers subtract."""
    tx.run(_COUNT_HANDLES, {"queue": id, "qmgr": qmgr, "input": input, "exclusive": exclusive, "output": output})


_RECORD_TRIGGER = Statement(
    sqlite_insert(queue_member)
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
                (bindparam("by_close") == ZERO, ZERO),
                (_n.depth_at_trigger <= bindparam("depth"), _n.trigger_repeats + ONE),
                else_=ONE,
            ),
            "depth_at_trigger": bindparam("depth"),
        },
    )
)
_TRIGGER_REPEATS = Statement(
    select(_n.trigger_repeats).where(_n.queue == bindparam("queue"), _n.qmgr == bindparam("qmgr"))
)
_FORGET_TRIGGERS = Statement(update(queue_member).where(_n.qmgr == bindparam("owner")).values(last_trigger=None))


def record_trigger(tx: Transaction, id: int, qmgr: str, now: int, depth: int, *, by_close: bool) -> None:
    """Record that a trigger message was generated for the queue; the TRIGINT interval starts now."""
    values = {"queue": id, "qmgr": qmgr, "at": now, "depth": depth, "by_close": int(by_close)}
    tx.run(_RECORD_TRIGGER, values)


def trigger_repeats(tx: Queries, id: int, qmgr: str) -> int:
    """Return how many closes in a row have triggered without the depth having fallen in between."""
    return int(tx.value(_TRIGGER_REPEATS, {"queue": id, "qmgr": qmgr}) or 0)


def forget_triggers(tx: Transaction, qmgr: str) -> None:
    """Treat TRIGINT as elapsed for every queue, as after a restart of the queue manager."""
    tx.run(_FORGET_TRIGGERS, {"owner": qmgr})


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


_AS_INITIATION_QUEUE = (
    select(
        _q.owner,
        _q.name,
        _q.get_enabled,
        _q.put_enabled,
        _q.is_transmission,
        _q.logically_deleted,
        _q.default_priority,
        func.coalesce(_n.input_handles, ZERO),
    )
    .select_from(queue.outerjoin(queue_member, (_n.queue == _q.id) & (_n.qmgr == bindparam("qmgr"))))
    .where(_q.name == bindparam("name"))
)
_INITIATION_QUEUE = Statement(_AS_INITIATION_QUEUE.where(_q.owner == bindparam("qmgr"), _q.type == literal("QLOCAL")))
# Of any type, because a member cannot use a name that both it and the group have.
_INITIATION_QUEUE_IN_GROUP = Statement(
    _AS_INITIATION_QUEUE.add_columns(_q.type).where(_q.owner.in_((bindparam("qmgr"), bindparam("group"))))
)
_TO_INITIATION_QUEUE = _WITH_MEMBER.where(
    _q.initiation_queue == bindparam("initiation_queue"), literal_column("trigger_on = 1")
).order_by(_q.name)
_TRIGGERING_TO = Statement(_TO_INITIATION_QUEUE.where(_q.owner == bindparam("qmgr")))
_TRIGGERING_TO_IN_GROUP = Statement(_TO_INITIATION_QUEUE.where(_q.owner.in_((bindparam("qmgr"), bindparam("group")))))
_WITH_INITIATION_QUEUE = Statement(
    select(_q.name)
    .where(_q.owner == bindparam("owner"), _q.initiation_queue == bindparam("initiation_queue"))
    .limit(ONE)
)
_INITIATION_QUEUES = Statement(
    select(_q.initiation_queue)
    .where(_q.owner == bindparam("owner"), _q.is_transmission == ONE, _q.initiation_queue != literal(""))
    .distinct()
)
_OF_OTHERS = queue.alias("of_others")
_INITIATION_QUEUES_OF_CHANNELS_ALONE = Statement(
    select(_q.initiation_queue)
    .where(
        _q.owner == bindparam("owner"),
        _q.is_transmission == ONE,
        _q.initiation_queue != literal(""),
        ~exists().where(
            _OF_OTHERS.c.owner == _q.owner,
            _OF_OTHERS.c.initiation_queue == _q.initiation_queue,
            _OF_OTHERS.c.is_transmission == ZERO,
        ),
    )
    .distinct()
)
_ALL_HANDLES = Statement(
    select(
        func.coalesce(func.sum(_n.input_handles), ZERO),
        func.coalesce(func.sum(_n.exclusive_handles), ZERO),
    ).where(_n.queue == bindparam("queue"))
)


def initiation_queue(tx: Queries, qmgr: str, name: str, group: str = "") -> InitiationQueue | None:
    """Return the local queue of that name as an initiation queue, or None; every put that may trigger calls it.

    A member of `group` finds its own queues and shared ones, but none that both have (2343).
    """
    if not group:
        row = tx.one(_INITIATION_QUEUE, {"qmgr": qmgr, "name": name})
        return None if row is None else InitiationQueue._make(row)
    rows = tx.all(_INITIATION_QUEUE_IN_GROUP, {"qmgr": qmgr, "name": name, "group": group})
    if len(rows) != 1 or rows[0][-1] != "QLOCAL":
        return None
    return InitiationQueue._make(rows[0][:-1])


def triggering_to(tx: Transaction, qmgr: str, initiation_queue: str, group: str = "") -> list[QueueRow]:
    """Return the queues with TRIGGER and this INITQ, by name: those of `qmgr`, and the shared ones of its group."""
    values = {"initiation_queue": initiation_queue, "qmgr": qmgr}
    rows = tx.all(_TRIGGERING_TO_IN_GROUP, {**values, "group": group}) if group else tx.all(_TRIGGERING_TO, values)
    return [QueueRow(*row) for row in rows]


def is_initiation_queue(tx: Queries, owner: str, name: str) -> bool:
    """Return whether any queue has this one as its INITQ, with TRIGGER or NOTRIGGER."""
    return tx.one(_WITH_INITIATION_QUEUE, {"owner": owner, "initiation_queue": name}) is not None


def initiation_queues_of_channels(tx: Queries, owner: str) -> list[str]:
    """Return the initiation queues of the transmission queues."""
    return [row[0] for row in tx.all(_INITIATION_QUEUES, {"owner": owner})]


def initiation_queues_of_channels_alone(tx: Queries, owner: str) -> list[str]:
    """Return the same without those that other queues use, too: a trigger monitor reads them."""
    return [row[0] for row in tx.all(_INITIATION_QUEUES_OF_CHANNELS_ALONE, {"owner": owner})]


def handles_of_all(tx: Transaction, id: int) -> tuple[int, int]:
    """Return (input handles, exclusive input handles) of all queue managers on the queue."""
    input_handles, exclusive = tx.one(_ALL_HANDLES, {"queue": id})
    return int(input_handles), int(exclusive)


_INPUT_HANDLES = Statement(
    select(_n.input_handles, _n.last_trigger).where(_n.queue == bindparam("queue"), _n.qmgr == bindparam("qmgr"))
)


def input_handles_of(tx: Transaction, id: int, qmgr: str) -> tuple[int, int | None]:
    """Return (input handles of `qmgr` on the queue, time of the last trigger message that it generated for it)."""
    return tx.one(_INPUT_HANDLES, {"queue": id, "qmgr": qmgr}) or (0, None)


class QueueBeforeChange(NamedTuple):
    """What a change of attributes needs of a queue: how far it is in use, and what triggers depend on."""

    id: int
    generation: int
    depth: int
    trigger_on: int
    trigger_type: int
    trigger_priority: int
    trigger_depth: int
    get_enabled: int
    put_enabled: int


_BEFORE_CHANGE = Statement(
    select(*(_q[name] for name in QueueBeforeChange._fields)).where(
        _q.owner == bindparam("owner"), _q.name == bindparam("name")
    ),
    "owner name",
)


def before_change(tx: Transaction, owner: str, name: str) -> QueueBeforeChange | None:
    """Return the queue object of that name, or None; a whole row takes five times as long."""
    row = tx.execute(_BEFORE_CHANGE.text, (owner, name)).fetchone()
    return None if row is None else QueueBeforeChange(*row)


def set_columns(tx: Transaction, id: int, values: Mapping[str, Any]) -> None:
    """Update columns of the queue's row and raise its version."""
    tx.execute(update_text("queue", tuple(values), key="id"), (*values.values(), id))


class LocalQueue(NamedTuple):
    """What a scan of many local queues needs of each."""

    id: int
    name: str
    depth: int
    earliest_expiry: int | None
    owner: str


_LOCAL_PAGE = Statement(
    select(_q.id, _q.name, _q.depth, _q.earliest_expiry, _q.owner)
    .where(
        _q.owner == bindparam("owner"),
        _q.type == literal("QLOCAL"),
        _q.name >= bindparam("low"),
        _q.name > bindparam("after"),
        or_(bindparam("high") == literal(""), _q.name < bindparam("high")),
    )
    .order_by(_q.name)
    .limit(bindparam("limit"))
)
_EXPIRING = Statement(
    select(_q.id, _q.name, _q.depth, _q.earliest_expiry, _q.owner)
    .where(_q.owner == bindparam("owner"), is_past(_q.earliest_expiry))
    .order_by(_q.earliest_expiry)
)


def expiring(tx: Queries, owner: str, now: int) -> list[LocalQueue]:
    """Return the queues that may hold an expired message; other queues cost nothing."""
    return [LocalQueue._make(row) for row in tx.all(_EXPIRING, {"owner": owner, "now": now})]


def local_page(tx: Queries, owner: str, low: str, high: str, after: str, limit: int) -> list[LocalQueue]:
    """Return up to `limit` local queues by name: at least `low`, below `high` (unless blank), greater than `after`."""
    values = {"owner": owner, "low": low, "high": high, "after": after, "limit": limit}
    return [LocalQueue._make(row) for row in tx.all(_LOCAL_PAGE, values)]


_WITH_MESSAGES = Statement(select(_q.id).where(_q.owner == bindparam("owner"), _q.depth > ZERO).order_by(_q.name))


def with_messages(reading: Queries, owner: str) -> list[int]:
    """Return the numbers of the queues that hold messages, by name."""
    return [row[0] for row in reading.all(_WITH_MESSAGES, {"owner": owner})]
