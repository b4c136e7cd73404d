"""Messages on queues: selecting, reserving, locking and removing them, and the end of units of work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple

from store.sql.clauses import (
    EXPIRED,
    GOT_IN_UNIT,
    IN_UNIT,
    OF_QUEUE,
    ONE,
    PUT_IN_UNIT,
    READY,
    UNLOCKED_FOR_HANDLE,
    ZERO,
    in_state,
    literal,
    values_of,
)
from store.sql.file_format import UNIT_BITS, MessageState
from store.sql.rows import StoredMessage
from store.sql.tables import message, prepared_unit, queue
from store.sql.waiters import UNWANTED
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import (
    BindParameter,
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
from store.sqlite.statement import Statement

_m = message.c

# The conditions of a selection besides the queue. Each set of these names has a statement of its own.
_CONDITIONS: Mapping[str, Any] = {
    "msg_id": _m.msg_id == bindparam("msg_id"),
    "correl_id": _m.correl_id == bindparam("correl_id"),
    "no_correl_id": _m.correl_id.is_(None),
    "group_id": _m.group_id == bindparam("group_id"),
    "no_group_id": _m.group_id.is_(None),
    "msg_seq_number": _m.msg_seq_number == bindparam("msg_seq_number"),
    "offset": _m.offset == bindparam("offset"),
    # SQLite reuses row numbers; the sequence number ensures that it is the same message.
    "id": (_m.id == bindparam("id")) & (_m.sequence == bindparam("sequence")),
    "unlocked": UNLOCKED_FOR_HANDLE,
    "unwanted": UNWANTED,
    "unmarked": or_(_m.marked_until.is_(None), _m.marked_until <= bindparam("now")),
    "unmarked_here": _m.sequence.not_in(values_of("marked")),
    "same_rank": (_m.rank == bindparam("rank")) & (_m.sequence > bindparam("sequence")),
    "lower_rank": _m.rank < bindparam("rank"),
}


# A get discards expired messages in transactions of at most this many (design §3.1).
EXPIRED_AT_ONCE = 1000


class Expired(NamedTuple):
    """An expired message, as far as its discarding needs it."""

    id: int
    report: int
    expires_at: int | None


# All columns except the data, which only a report needs.
WITHOUT_BODY = [_m[name] if name != "body" else literal_column("x''").label("body") for name in StoredMessage._fields]


def _selected(columns: Iterable[Any], conditions: frozenset[str], limit: int) -> Statement:
    chosen = select(*columns).where(OF_QUEUE, READY, *(_CONDITIONS[name] for name in sorted(conditions)))
    # With a limit that is a parameter SQLite plans the query anew each time, which costs four times the query.
    # Without an offset SQLAlchemy writes one that is a parameter, too.
    return Statement(chosen.order_by(_m.rank.desc(), _m.sequence).limit(literal(limit)).offset(ZERO))


@lru_cache(maxsize=256)
def _first(conditions: frozenset[str]) -> Statement:
    return _selected([message], conditions, 1)


@lru_cache(maxsize=256)
def _candidates(conditions: frozenset[str], limit: int) -> Statement:
    return _selected([EXPIRED, *(_m[name] for name in Expired._fields)], conditions, limit)


class Place(NamedTuple):
    """A message and its place on its queue."""

    id: int
    rank: int
    sequence: int


@lru_cache(maxsize=256)
def _places(conditions: frozenset[str], limit: int) -> Statement:
    return _selected([_m[name] for name in Place._fields], conditions, limit)


def usual_statements() -> Iterator[Statement]:
    """Yield the selections of gets and browses, by identifier or not, and what a trigger counts by default."""
    for chosen in (frozenset[str](), {"msg_id"}, {"correl_id"}):
        for place in (frozenset[str](), {"same_rank"}, {"lower_rank"}, {"unwanted"}):
            conditions = frozenset({"unlocked"} | chosen | place)
            yield _first(conditions)
            yield _candidates(conditions, 1)
            yield _candidates(conditions, EXPIRED_AT_ONCE)
    yield _candidates(frozenset(), 1)
    for state in (MessageState.AVAILABLE, MessageState.PUT):
        yield _count_of_rank(state, 1)
        yield _ranks(state)


def places(tx: Queries, conditions: frozenset[str], values: Mapping[str, Any], limit: int) -> list[Place]:
    """Return the places of up to `limit` committed messages in delivery order that meet `conditions`."""
    return [Place._make(row) for row in tx.all(_places(conditions, limit), values)]


def first(tx: Queries, conditions: frozenset[str], values: Mapping[str, Any]) -> StoredMessage | None:
    """Return the first committed message in delivery order that meets `conditions`, or None."""
    row = tx.one(_first(conditions), values)
    return None if row is None else StoredMessage._make(row)


def exists(reading: Queries, conditions: frozenset[str], values: Mapping[str, Any]) -> bool:
    """Return whether a committed message meets `conditions`; no message data is read."""
    return reading.one(_candidates(conditions, 1), {**values, "now": 0}) is not None


def expired_before_first_live(
    tx: Queries, conditions: frozenset[str], values: Mapping[str, Any], now: int, limit: int
) -> list[Expired]:
    """Return up to `limit` expired messages that precede the first live one among those that meet `conditions`."""
    candidates = tx.all(_candidates(conditions, limit), {**values, "now": now})
    return [Expired._make(row) for is_expired, *row in takewhile(lambda row: row[0], candidates)]


_BY_ID = Statement(select(message).where(_m.id == bindparam("id")))
_WITHOUT_BODY_BY_ID = Statement(select(*WITHOUT_BODY).where(_m.id == bindparam("id")))
_DELETE = Statement(delete(message).where(_m.id == bindparam("id")), "id")


def by_id(tx: Queries, id: int) -> StoredMessage | None:
    """Return the message with this row number in any state, or None."""
    row = tx.one(_BY_ID, {"id": id})
    return None if row is None else StoredMessage._make(row)


def without_body(tx: Queries, ids: Iterable[int]) -> list[StoredMessage]:
    """Return the messages with these row numbers, with empty data."""
    return [StoredMessage._make(tx.one(_WITHOUT_BODY_BY_ID, {"id": id})) for id in ids]


def remove(tx: Transaction, id: int) -> None:
    tx.execute(_DELETE.text, (id,))


def remove_all(tx: Transaction, ids: Iterable[int]) -> None:
    tx.run_for_each(_DELETE, [{"id": id} for id in ids])


_RESERVE = Statement(
    update(message)
    .where(_m.id == bindparam("message"))
    .values(state=literal(MessageState.GOT), unit=bindparam("unit_of_work"), locked_by=literal_column("NULL")),
    "unit_of_work message",
)


def reserve(tx: Transaction, id: int, unit: int) -> None:
    """Mark a message as got by `unit`; the commit of the unit removes it."""
    tx.execute(_RESERVE.text, (unit, id))


# Two names for one parameter: in an UPDATE SQLAlchemy reserves the name of a column for its new value.
_UNIT: BindParameter[int] = bindparam("unit")
_OF_UNIT = _m.unit == bindparam("unit_of_work")
_REMOVE_GOT = Statement(delete(message).where(_m.unit == _UNIT, GOT_IN_UNIT, IN_UNIT), "unit")
_RELEASE_PUT = Statement(
    update(message)
    .where(_OF_UNIT, PUT_IN_UNIT, IN_UNIT)
    .values(state=literal(MessageState.AVAILABLE), unit=literal_column("NULL")),
    "unit_of_work",
)
_REMOVE_PUT = Statement(delete(message).where(_m.unit == _UNIT, PUT_IN_UNIT, IN_UNIT, _m.kept_at_backout == ZERO))
_RELEASE_GOT = Statement(
    update(message)
    .where(_OF_UNIT, GOT_IN_UNIT, IN_UNIT, _m.id != bindparam("except_message"))
    .values(state=literal(MessageState.AVAILABLE), unit=None, backout_count=_m.backout_count + ONE)
)
_RENUMBER = Statement(
    update(message)
    .where(_m.id == bindparam("message"), _m.unit == bindparam("unit_before"))
    .values(unit=bindparam("unit_of_work"))
)


def commit_unit(tx: Transaction, unit: int) -> None:
    """Remove the messages that the unit has got and make those that it has put available."""
    tx.execute(_REMOVE_GOT.text, (unit,))
    tx.execute(_RELEASE_PUT.text, (unit,))


def back_out_unit(tx: Transaction, unit: int, except_message: int) -> None:
    """Remove the messages that the unit has put and make those that it has got available, raising BackoutCount.

    Trigger messages of type FIRST and DEPTH stay. `except_message`, the message marked to skip backout or 0, keeps its
    state.
    """
    tx.run(_REMOVE_PUT, {"unit": unit})
    tx.run(_RELEASE_PUT, {"unit_of_work": unit})
    tx.run(_RELEASE_GOT, {"unit_of_work": unit, "except_message": except_message})


def move_to_unit(tx: Transaction, id: int, before: int, unit: int) -> None:
    """Transfer a message that skips backout from the unit `before` to `unit`, unless it was deleted with its queue."""
    tx.run(_RENUMBER, {"message": id, "unit_before": before, "unit_of_work": unit})


_UNIT_BY_QUEUE = Statement(
    select(
        _m.queue,
        func.sum(case((PUT_IN_UNIT & (_m.kept_at_backout == ZERO), ONE), else_=ZERO)),
        func.sum(case((GOT_IN_UNIT, ONE), else_=ZERO)),
        func.max(_m.persistence),
        func.min(_m.expires_at),
    )
    .where(_m.unit == _UNIT, IN_UNIT)
    .group_by(_m.queue)
)
_UNITS_OF_CONNECTION = Statement(
    select(_m.unit)
    .where(
        _m.unit >= bindparam("low"),
        _m.unit < bindparam("high"),
        IN_UNIT,
        _m.unit.not_in(select(prepared_unit.c.number)),
    )
    .distinct()
)
_GOT_BY_UNIT = Statement(select(*WITHOUT_BODY).where(_m.unit == _UNIT, GOT_IN_UNIT, IN_UNIT))


class UnitShare(NamedTuple):
    """What a unit of work holds on one queue; kept trigger messages do not count as puts."""

    queue: int
    puts: int
    gets: int
    persistent: int
    earliest_expiry: int | None


def of_unit(tx: Transaction, unit: int) -> list[UnitShare]:
    """Return what `unit` has put to and got from each queue."""
    return [UnitShare._make(row) for row in tx.all(_UNIT_BY_QUEUE, {"unit": unit})]


def units_of_connection(tx: Queries, connection: int) -> list[int]:
    """Return the units of work in which a connection holds messages; those in doubt are no longer its own."""
    low = connection << UNIT_BITS
    return [row[0] for row in tx.all(_UNITS_OF_CONNECTION, {"low": low, "high": low + (1 << UNIT_BITS)})]


def got_by_unit(tx: Transaction, unit: int) -> list[StoredMessage]:
    """Return the messages that `unit` has got, with empty data."""
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
    """Release the lock of a handle; return how many messages were locked (0 or 1)."""
    return tx.run(_UNLOCK, {"handle": handle})


def mark(tx: Transaction, id: int, until: int | None) -> None:
    """Mark a message as browsed by the co-operating handles until a moment, or without a limit for None."""
    tx.run(_MARK, {"message": id, "until": until})


@lru_cache(maxsize=256)
def _count_of_rank(state: MessageState, limit: int) -> Statement:
    found: Select[Any] = select(ONE).select_from(message)
    found = found.where(OF_QUEUE, _m.rank >= bindparam("rank"), in_state(state)).limit(literal(limit))
    return Statement(select(func.count()).select_from(found.subquery()))


def count_of_rank(tx: Queries, queue: int, rank: int, limit: int) -> int:
    """Count the messages of at least that effective priority, available or put by an open unit, up to `limit`."""
    values = {"queue": queue, "rank": rank}
    available: int = tx.value(_count_of_rank(MessageState.AVAILABLE, limit), values)
    if available >= limit:
        return available
    return min(limit, available + int(tx.value(_count_of_rank(MessageState.PUT, limit), values)))


@lru_cache(maxsize=2)
def _ranks(state: MessageState) -> Statement:
    return Statement(select(_m.rank, func.count()).where(OF_QUEUE, in_state(state)).group_by(_m.rank))


def counts_by_rank(tx: Queries, queue: int) -> Counter[int]:
    """Count the messages of each effective priority, available or put by an open unit."""
    counts: Counter[int] = Counter()
    for state in (MessageState.AVAILABLE, MessageState.PUT):
        for rank, count in tx.all(_ranks(state), {"queue": queue}):
            counts[rank] += count
    return counts


_UNCOMMITTED_ON_QUEUE = Statement(
    select(func.count()).select_from(message).where(OF_QUEUE, _m.unit.is_not(None), IN_UNIT)
)


def uncommitted_on_queue(tx: Queries, queue: int) -> int:
    """Return how many messages of the queue open units of work have put or got."""
    return int(tx.value(_UNCOMMITTED_ON_QUEUE, {"queue": queue}))


_GOT_ON_QUEUE = Statement(select(func.count()).select_from(message).where(OF_QUEUE, GOT_IN_UNIT, IN_UNIT))


def got_on_queue(tx: Queries, queue: int) -> int:
    """Return how many messages of the queue open units of work have got."""
    return int(tx.value(_GOT_ON_QUEUE, {"queue": queue}))


# Each state has its own index; a single SELECT for all would read every message of the store.
_IDS_ON_QUEUE = [select(_m.id).where(OF_QUEUE, *state) for state in ((READY,), (PUT_IN_UNIT,), (GOT_IN_UNIT, IN_UNIT))]
_CLEAR = Statement(delete(message).where(_m.id.in_(union_all(*_IDS_ON_QUEUE))))
_REMOVE_BEFORE = Statement(
    delete(message).where(
        _m.id.in_(select(_m.id).where(OF_QUEUE, READY, _m.sequence < bindparam("below")).limit(bindparam("limit")))
    )
)


def clear(tx: Transaction, queue: int) -> int:
    """Remove every message of a queue; return how many."""
    return tx.run(_CLEAR, {"queue": queue})


def remove_before(tx: Transaction, queue: int, below: int, limit: int) -> int:
    """Remove up to `limit` available messages with a sequence number below `below`; return how many."""
    return tx.run(_REMOVE_BEFORE, {"queue": queue, "below": below, "limit": limit})


_NONPERSISTENT = Statement(
    select(*WITHOUT_BODY)
    .select_from(message.join(queue, queue.c.id == _m.queue))
    .where(
        queue.c.owner == bindparam("owner"),
        queue.c.keep_nonpersistent == ZERO,
        _m.persistence == ZERO,
        # Connections have ended: only units in doubt hold messages.
        _m.unit.is_(None),
        _m.id > bindparam("after"),
    )
    .order_by(_m.id)
    .limit(bindparam("limit"))
)


def nonpersistent(tx: Transaction, owner: str, after: int, limit: int) -> list[StoredMessage]:
    """Return up to `limit` non-persistent messages that a restart of the queue manager drops, with empty data.

    They are ordered by row number and greater than `after`, so that the next batch skips the messages that stay. Those
    of units in doubt stay too.
    """
    values = {"owner": owner, "after": after, "limit": limit}
    return [StoredMessage._make(row) for row in tx.all(_NONPERSISTENT, values)]
