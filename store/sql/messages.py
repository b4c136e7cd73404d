"""Messages on queues: placing, choosing, reserving, settling and removing them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Select,
    bindparam,
    case,
    delete,
    func,
    literal_column,
    or_,
    select,
    union_all,
    update,
)

from store.sql.rows import StoredMessage
from store.sql.schema import AVAILABLE, PUT, UNIT_BITS, message, queue
from store.sql.waiters import UNWANTED
from store.sqlite.database import Queries, Transaction
from store.sqlite.statement import Statement

_m = message.c
_READY: ColumnElement[bool] = literal_column("state = 0")
_PUT: ColumnElement[bool] = literal_column("state = 1")
_GOT: ColumnElement[bool] = literal_column("state = 2")
_IN_UNIT: ColumnElement[bool] = literal_column("unit IS NOT NULL")
_UNLOCKED = or_(_m.locked_by.is_(None), _m.locked_by == bindparam("handle"))

# What a selection may ask for beside the queue; a set of these names is the key of a statement.
_CONDITIONS: Mapping[str, Any] = {
    "msg_id": _m.msg_id == bindparam("msg_id"),
    "correl_id": _m.correl_id == bindparam("correl_id"),
    "no_correl_id": _m.correl_id.is_(None),
    "group_id": _m.group_id == bindparam("group_id"),
    "no_group_id": _m.group_id.is_(None),
    "msg_seq_number": _m.msg_seq_number == bindparam("msg_seq_number"),
    "offset": _m.offset == bindparam("offset"),
    # Row numbers are used again: the place in the queue makes sure that it is the same message.
    "id": (_m.id == bindparam("id")) & (_m.sequence == bindparam("sequence")),
    "unlocked": _UNLOCKED,
    "unwanted": UNWANTED,
    "unmarked": or_(_m.marked_until.is_(None), _m.marked_until <= bindparam("now")),
    "unmarked_here": _m.sequence.not_in(select(func.json_each(bindparam("marked")).table_valued("value").c.value)),
    "same_rank": (_m.rank == bindparam("rank")) & (_m.sequence > bindparam("sequence")),
    "lower_rank": _m.rank < bindparam("rank"),
}


class Expired(NamedTuple):
    """A message past its expiry: what must be known of it before it is discarded."""

    id: int
    report: int
    expires_at: int | None


# Everything but the data, which only a report needs.
_HEAD = [column if column.name != "body" else literal_column("x''").label("body") for column in message.columns]


# A limit that is a parameter makes SQLite plan the query anew each time, which costs four times the query.
@lru_cache(maxsize=256)
def _selection(conditions: frozenset[str], whole: bool, most: int) -> Statement:
    columns = [message] if whole else [_m[name] for name in Expired._fields]
    chosen = select(*columns).where(_m.queue == bindparam("queue"), _READY)
    for name in sorted(conditions):
        chosen = chosen.where(_CONDITIONS[name])
    return Statement(chosen.order_by(_m.rank.desc(), _m.sequence).limit(literal_column(str(most))))


def first(tx: Transaction, conditions: frozenset[str], values: Mapping[str, Any]) -> StoredMessage | None:
    """The first committed message in delivery order that meets `conditions`, or None."""
    row = tx.one(_selection(conditions, True, 1), values)
    return None if row is None else StoredMessage._make(row)


def expired_in_front(
    tx: Transaction, conditions: frozenset[str], values: Mapping[str, Any], now: int, most: int
) -> list[Expired]:
    """The expired messages, at most `most`, that stand before the first live one of those that meet `conditions`."""
    found = map(Expired._make, tx.all(_selection(conditions, False, most), values))
    return list(takewhile(lambda each: each.expires_at is not None and each.expires_at <= now, found))


_BY_ID = Statement(select(message).where(_m.id == bindparam("id")))
_HEAD_BY_ID = Statement(select(*_HEAD).where(_m.id == bindparam("id")))
_DELETE = Statement(delete(message).where(_m.id == bindparam("id")), "id")


def by_id(tx: Queries, id: int) -> StoredMessage | None:
    """The message with that row number, whatever its state."""
    row = tx.one(_BY_ID, {"id": id})
    return None if row is None else StoredMessage._make(row)


def heads(tx: Queries, ids: Iterable[int]) -> list[StoredMessage]:
    """The messages with these row numbers, without their data."""
    return [StoredMessage._make(tx.one(_HEAD_BY_ID, {"id": id})) for id in ids]


def remove(tx: Transaction, id: int) -> None:
    """Remove one message."""
    tx.run_positional(_DELETE, id)


def remove_all(tx: Transaction, ids: Iterable[int]) -> None:
    """Remove messages by row number."""
    tx.run_for_each(_DELETE, [{"id": id} for id in ids])


_RESERVE = Statement(
    update(message)
    .where(_m.id == bindparam("message"))
    .values(state=literal_column("2"), unit=bindparam("unit_of_work"), locked_by=literal_column("NULL")),
    "unit_of_work message",
)


def reserve(tx: Transaction, id: int, unit: int) -> None:
    """Mark a message as got by `unit`; it leaves the queue when the unit commits."""
    tx.run_positional(_RESERVE, unit, id)


_UNIT: BindParameter[int] = bindparam("unit")
_TAKE_OUT_GOT = Statement(delete(message).where(_m.unit == _UNIT, _GOT, _IN_UNIT))
_RELEASE_PUT = Statement(
    update(message)
    .where(_m.unit == bindparam("unit_of_work"), _PUT, _IN_UNIT)
    .values(state=literal_column("0"), unit=None)
)
_TAKE_OUT_PUT = Statement(delete(message).where(_m.unit == _UNIT, _PUT, _IN_UNIT, _m.kept_at_backout == 0))
_PUT_BACK_GOT = Statement(
    update(message)
    .where(_m.unit == bindparam("unit_of_work"), _GOT, _IN_UNIT, _m.id != bindparam("except_message"))
    .values(state=literal_column("0"), unit=None, backout_count=_m.backout_count + literal_column("1"))
)
_RENUMBER = Statement(
    update(message)
    .where(_m.id == bindparam("message"), _m.unit == bindparam("unit_before"))
    .values(unit=bindparam("unit_of_work"))
)


def commit_unit(tx: Transaction, unit: int) -> None:
    """What the unit put becomes available, what it got is gone."""
    tx.run(_TAKE_OUT_GOT, {"unit": unit})
    tx.run(_RELEASE_PUT, {"unit_of_work": unit})


def back_out_unit(tx: Transaction, unit: int, except_message: int) -> None:
    """What the unit put is gone (FIRST and DEPTH trigger messages stay), what it got is back, once more backed out.

    `except_message` keeps its state: the one marked to skip backout, or 0.
    """
    tx.run(_TAKE_OUT_PUT, {"unit": unit})
    tx.run(_RELEASE_PUT, {"unit_of_work": unit})
    tx.run(_PUT_BACK_GOT, {"unit_of_work": unit, "except_message": except_message})


def move_to_unit(tx: Transaction, id: int, before: int, unit: int) -> None:
    """The message of unit `before` skips backout: it now belongs to `unit`. One that went with its queue stays gone."""
    tx.run(_RENUMBER, {"message": id, "unit_before": before, "unit_of_work": unit})


_OF_UNIT = Statement(
    select(
        _m.queue,
        func.sum(case((_PUT & (_m.kept_at_backout == 0), 1), else_=0)),
        func.sum(case((_GOT, 1), else_=0)),
        func.max(_m.persistence),
        func.min(_m.expires_at),
    )
    .where(_m.unit == _UNIT, _IN_UNIT)
    .group_by(_m.queue)
)
_UNITS_OF_CONNECTION = Statement(
    select(_m.unit).where(_m.unit >= bindparam("low"), _m.unit < bindparam("high"), _IN_UNIT).distinct()
)
_GOT_BY_UNIT = Statement(select(*_HEAD).where(_m.unit == _UNIT, _GOT, _IN_UNIT))


class UnitShare(NamedTuple):
    """What a unit of work holds on one queue."""

    queue: int
    puts: int
    gets: int
    persistent: int
    earliest_expiry: int | None


def of_unit(tx: Transaction, unit: int) -> list[UnitShare]:
    """What `unit` put to and got from each queue; kept trigger messages do not count as puts."""
    return [UnitShare._make(row) for row in tx.all(_OF_UNIT, {"unit": unit})]


def units_of_connection(tx: Queries, connection: int) -> list[int]:
    """The units of work that `connection` holds messages in."""
    low = connection << UNIT_BITS
    return [row[0] for row in tx.all(_UNITS_OF_CONNECTION, {"low": low, "high": low + (1 << UNIT_BITS)})]


def got_by_unit(tx: Transaction, unit: int) -> list[StoredMessage]:
    """The messages that `unit` has got, without their data."""
    return [StoredMessage._make(row) for row in tx.all(_GOT_BY_UNIT, {"unit": unit})]


_LOCK = Statement(update(message).where(_m.id == bindparam("message")).values(locked_by=bindparam("handle")))
_UNLOCK = Statement(
    update(message).where(_m.locked_by == bindparam("handle"), _m.locked_by.is_not(None)).values(locked_by=None)
)
_MARK = Statement(update(message).where(_m.id == bindparam("message")).values(marked_until=bindparam("until")))


def lock(tx: Transaction, id: int, handle: int) -> None:
    """Hide a message from every other handle."""
    tx.run(_LOCK, {"message": id, "handle": handle})


def unlock(tx: Transaction, handle: int) -> int:
    """Release the lock of `handle`; how many messages were locked (0 or 1)."""
    return tx.run(_UNLOCK, {"handle": handle})


def mark(tx: Transaction, id: int, until: int | None) -> None:
    """Mark a message as browsed by the co-operating handles, until that moment or for good."""
    tx.run(_MARK, {"message": id, "until": until})


# A limit that is a parameter costs four times the query here too.
@lru_cache(maxsize=256)
def _counting(state: int, most: int) -> Statement:
    found: Select[Any] = select(literal_column("1")).select_from(message)
    found = found.where(_m.queue == bindparam("queue"), _m.rank >= bindparam("rank"))
    found = found.where(literal_column(f"state = {state}")).limit(literal_column(str(most)))
    return Statement(select(func.count()).select_from(found.subquery()))


def count_of_rank(tx: Queries, queue: int, rank: int, most: int) -> int:
    """How many messages of at least that effective priority are there, committed or not; never counts beyond `most`."""
    values = {"queue": queue, "rank": rank}
    ready: int = tx.value(_counting(AVAILABLE, most), values)
    if ready >= most:
        return ready
    return min(most, ready + int(tx.value(_counting(PUT, most), values)))


_UNCOMMITTED_ON_QUEUE = Statement(
    select(func.count()).select_from(message).where(_m.queue == bindparam("queue"), _m.unit.is_not(None), _IN_UNIT)
)


def uncommitted_on_queue(tx: Queries, queue: int) -> int:
    """How many messages of that queue are put or got by open units of work."""
    return int(tx.value(_UNCOMMITTED_ON_QUEUE, {"queue": queue}))


# Each state has an index of its own, none has them all: without them every message of the store would be looked at.
_IDS_ON_QUEUE = [
    select(_m.id).where(_m.queue == bindparam("queue"), *state) for state in ((_READY,), (_PUT,), (_GOT, _IN_UNIT))
]
_CLEAR = Statement(delete(message).where(_m.id.in_(union_all(*_IDS_ON_QUEUE))))


def clear(tx: Transaction, queue: int) -> int:
    """Remove every message of a queue; how many there were."""
    return tx.run(_CLEAR, {"queue": queue})


_NONPERSISTENT = Statement(
    select(*_HEAD)
    .select_from(message.join(queue, queue.c.id == _m.queue))
    .where(
        queue.c.owner == bindparam("owner"),
        queue.c.keep_nonpersistent == literal_column("0"),
        _m.persistence == literal_column("0"),
        _m.id > bindparam("after"),
    )
    .order_by(_m.id)
    .limit(bindparam("limit"))
)


def nonpersistent(tx: Transaction, owner: str, after: int, limit: int) -> list[StoredMessage]:
    """Up to `limit` non-persistent messages that a restart of the queue manager drops, without their data.

    They come by row number, beyond `after`: the next batch passes by the messages that stay.
    """
    values = {"owner": owner, "after": after, "limit": limit}
    return [StoredMessage._make(row) for row in tx.all(_NONPERSISTENT, values)]
