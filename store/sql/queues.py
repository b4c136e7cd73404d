"""Queues: the columns that calls read, depth, sequence, and the open handles of a queue manager."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from store.sql.core import *
from store.sql.rows import ManagerRow, QueueRow
from store.sql.statements import change, column, first_tuple, in_order, removal, row, rows, value
from store.sqlite.database import Queries, Transaction
from store.sqlite.statement import update_text

_q, _n, _g = queue.c, queue_member.c, queue_manager.c


def with_member(qmgr: str) -> Select[Any]:
    """Return the SELECT of a QueueRow."""
    counts = (_n.input_handles, _n.exclusive_handles, _n.output_handles)
    found = select(queue, *(func.coalesce(each, ZERO) for each in counts), _n.last_trigger)
    return found.select_from(queue.outerjoin(queue_member, (_n.queue == _q.id) & (_n.qmgr == qmgr)))


@row(QueueRow)
def by_id(id: int, qmgr: str) -> ClauseElement:
    """Return the queue with that number and the handles of `qmgr` on it; None when it has been deleted."""
    return with_member(qmgr).where(_q.id == id)


@row(QueueRow)
def _by_name(owner: str, name: str, qmgr: str) -> ClauseElement:
    return with_member(qmgr).where(_q.owner == owner, _q.name == name)


def by_name(tx: Queries, owner: str, name: str, qmgr: str = "") -> QueueRow | None:
    """Return the queue object of that name, of any type, or None.

    The handles are those of `qmgr`, which must be given when `owner` is a queue-sharing group.
    """
    return _by_name(tx, owner, name, qmgr or owner)


def visible(tx: Queries, qmgr: ManagerRow, name: str) -> QueueRow | None:
    """Return the queue manager's own queue object of that name, else the shared queue of its group, or None."""
    own = by_name(tx, qmgr.name, name)
    if own is None and qmgr.sharing_group:
        return by_name(tx, qmgr.sharing_group, name, qmgr.name)
    return own


@value(str)
def name_of(id: int) -> ClauseElement:
    """Return the name of the queue with that number; blank when it has been deleted."""
    return select(_q.name).where(_q.id == id)


@first_tuple
def name_and_owner(id: int) -> ClauseElement:
    """Return the name and the owner of the queue with that number, which must exist."""
    return select(_q.name, _q.owner).where(_q.id == id)


# Version, depth, next sequence number and earliest expiry of a queue; version, run, state and manual clock of a queue
# manager.
HotColumns = tuple[int, int, int, int | None, int, int, str, int | None]


def read_hot_columns(tx: Queries, id: int, qmgr: str) -> HotColumns | None:
    """Return the columns that every call reads anew; None when the queue or the queue manager has been deleted."""
    return tx.execute(_hot_columns.text, (id, qmgr)).fetchone()  # type: ignore[no-any-return]


@in_order("id qmgr")
def _hot_columns(id: int, qmgr: str) -> ClauseElement:
    return select(
        _q.version, _q.depth, _q.next_sequence, _q.earliest_expiry, _g.version, _g.run, _g.state, _g.clock_at
    ).where(_q.id == id, _g.name == qmgr)


def count_puts(tx: Transaction, id: int, count: int, now: int) -> None:
    """Count `count` puts: depth, sequence number, statistics."""
    tx.execute(_count_puts.text, (count, count, now, count, count, id))


@in_order("count count now count count id")
def _count_puts(id: int, count: int, now: int) -> ClauseElement:
    changed = update(queue).where(_q.id == id)
    return changed.values(
        depth=_q.depth + count,
        next_sequence=_q.next_sequence + count,
        last_put_at=now,
        puts=_q.puts + count,
        high_depth=func.max(_q.high_depth, _q.depth + count),
    )


@change
def lower_earliest_expiry(id: int, at: int) -> ClauseElement:
    """Take account of a message that expires at `at`."""
    earliest = func.min(func.coalesce(_q.earliest_expiry, at), at)
    return update(queue).where(_q.id == id).values(earliest_expiry=earliest)


def _averaged(average: Column[int], waited: Any, weight: int) -> ColumnElement[int]:
    """Return the moving average after one more message, which counts for 1/weight; the first message is the average."""
    share = constant(weight)
    # SQLAlchemy's own division would be floating-point.
    return func.coalesce(average - average.op("/")(share) + waited.op("/")(share), waited)


def count_get(tx: Transaction, id: int, now: int, waited: int) -> None:
    """Count the get of a message that was on the queue for `waited` microseconds: depth, statistics."""
    tx.execute(_count_get.text, (now, waited, waited, waited, waited, id))


def count_gets(tx: Transaction, id: int, now: int, waited: Sequence[int]) -> None:
    """Count the gets of several messages in order, with the result of `count_get` for each."""
    short, long = _queue_times(tx, id)
    for each in waited:
        short = each if short is None else short - short // 8 + each // 8
        long = each if long is None else long - long // 256 + each // 256
    _count_gets(tx, id, len(waited), now, short, long)


@first_tuple
def _queue_times(id: int) -> ClauseElement:
    return select(_q.short_queue_time, _q.long_queue_time).where(_q.id == id)


@change
def _count_gets(id: int, count: int, now: int, short: int, long: int) -> ClauseElement:
    counted = {"depth": _q.depth - count, "last_get_at": now, "gets": _q.gets + count}
    return update(queue).where(_q.id == id).values(counted | {"short_queue_time": short, "long_queue_time": long})


@in_order("now waited waited waited waited id")
def _count_get(id: int, now: int, waited: int) -> ClauseElement:
    changed = update(queue).where(_q.id == id)
    return changed.values(
        depth=_q.depth - ONE,
        last_get_at=now,
        gets=_q.gets + ONE,
        short_queue_time=_averaged(_q.short_queue_time, waited, 8),
        long_queue_time=_averaged(_q.long_queue_time, waited, 256),
    )


@change
def change_depth(id: int, change: int, returned: int = 0) -> ClauseElement:
    """Add `change` to the depth without counting puts or gets.

    `returned` messages became available again: the sequence number is raised, so that waiting gets notice.
    """
    changed = update(queue).where(_q.id == id)
    return changed.values(
        depth=_q.depth + change,
        next_sequence=_q.next_sequence + returned,
        high_depth=func.max(_q.high_depth, _q.depth + change),
    )


@change
def change_depth_by_move(id: int, change: int, next: int, earliest: int | None) -> ClauseElement:
    """Add `change` to the depth of a queue without counting puts or gets, and set its next sequence and expiry."""
    changed = update(queue).where(_q.id == id)
    return changed.values(
        depth=_q.depth + change,
        next_sequence=func.max(_q.next_sequence, next),
        high_depth=func.max(_q.high_depth, _q.depth + change),
        earliest_expiry=earliest,
    )


@change
def count_handles(id: int, qmgr: str, input: int, exclusive: int, output: int) -> ClauseElement:
    """Add to the numbers of open handles that `qmgr` holds on the queue; negative numbers subtract."""
    added = {"input_handles": input, "exclusive_handles": exclusive, "output_handles": output}
    return insert_or_update_member(id, qmgr, added, {name: _n[name] + number for name, number in added.items()})


@first_tuple
def handles_of_all(id: int) -> ClauseElement:
    """Return (input handles, exclusive input handles, output handles) of all queue managers on the queue."""
    counts = (_n.input_handles, _n.exclusive_handles, _n.output_handles)
    return select(*(func.coalesce(func.sum(each), ZERO) for each in counts)).where(_n.queue == id)


@first_tuple
def _input_handles_of(id: int, qmgr: str) -> ClauseElement:
    return select(_n.input_handles, _n.last_trigger).where(_n.queue == id, _n.qmgr == qmgr)


def input_handles_of(tx: Transaction, id: int, qmgr: str) -> tuple[int, int | None]:
    """Return (input handles of `qmgr` on the queue, time of the last trigger message that it generated for it)."""
    return _input_handles_of(tx, id, qmgr) or (0, None)


class QueueBeforeChange(NamedTuple):
    """The facts about a queue that a change of attributes needs: its use, and the columns that decide triggers."""

    id: int
    generation: int
    depth: int
    trigger_on: int
    trigger_type: int
    trigger_priority: int
    trigger_depth: int
    get_enabled: int
    put_enabled: int


@row(QueueBeforeChange)
def before_change(owner: str, name: str) -> ClauseElement:
    """Return the queue object of that name, or None; a whole row takes five times as long."""
    return select(*columns_of(queue, QueueBeforeChange)).where(_q.owner == owner, _q.name == name)


def add(tx: Transaction, values: Mapping[str, Any]) -> int:
    """Store the row of a queue object; columns that are not given have their defaults. Return its number."""
    return tx.insert("queue", values)


def add_all(tx: Transaction, rows: list[dict[str, Any]]) -> None:
    for each in rows:
        add(tx, each)


def set_columns(tx: Transaction, id: int, values: Mapping[str, Any]) -> None:
    """Update columns of the queue's row and raise its version."""
    tx.execute(update_text("queue", tuple(values), key="id"), (*values.values(), id))


_remove = removal("queue", "id")

_remove_members = removal("queue_member", "queue")


def remove(tx: Transaction, id: int) -> None:
    """Remove the row of a queue object and the handle counts for it. Its messages must have been removed."""
    _remove_members(tx, id)
    _remove(tx, id)


class LocalQueue(NamedTuple):
    """What a scan of many local queues needs of each."""

    id: int
    name: str
    depth: int
    earliest_expiry: int | None
    owner: str


@rows(LocalQueue)
def expiring(owner: str, now: int) -> ClauseElement:
    """Return the queues that may hold an expired message; other queues cost nothing."""
    found = select(*columns_of(queue, LocalQueue)).where(_q.owner == owner, is_past(_q.earliest_expiry, now))
    return found.order_by(_q.earliest_expiry)


@rows(LocalQueue)
def local_page(owner: str, low: str, high: str, after: str, limit: int) -> ClauseElement:
    """Return up to `limit` local queues by name: at least `low`, below `high` (unless blank), greater than `after`."""
    found = select(*columns_of(queue, LocalQueue)).where(
        _q.owner == owner,
        _q.type == constant("QLOCAL"),
        _q.name >= low,
        _q.name > after,
        is_blank_or_above(high, _q.name),
    )
    return found.order_by(_q.name).limit(limit)


@value(int)
def message_count(owner: str) -> ClauseElement:
    """Return the sum of the depths of the queues of an owner, but those for events of queue managers."""
    is_counted = not_(_q.name.like(constant("SYSTEM.ADMIN.%")))
    return select(func.coalesce(func.sum(_q.depth), ZERO)).where(_q.owner == owner, is_counted)


@column(int)
def with_messages(owner: str) -> ClauseElement:
    """Return the numbers of the queues that hold messages, by name."""
    return select(_q.id).where(_q.owner == owner, _q.depth > ZERO).order_by(_q.name)
