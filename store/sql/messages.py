"""Messages on queues: selecting, reserving, locking, moving and removing them; gets that wait for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import groupby, takewhile
from typing import Any, NamedTuple

from store.sql.core import *
from store.sql.rows import MessageState, StoredMessage
from store.sql.statements import KnownStatement, change, column, find, for_each, one, removal, row, rows
from store.sqlite.database import Queries, Transaction
from store.sqlite.statement import Row

_m, _q, _w = message.c, queue.c, waiter.c
# In half the time of StoredMessage._make.
_stored: Callable[[Row], StoredMessage] = partial(tuple.__new__, StoredMessage)

# The columns that a waiting get may select by.
WANTED = ("msg_id", "correl_id", "group_id", "msg_seq_number", "offset")


def _unwanted() -> ColumnElement[bool]:
    """Return whether no get waits for this message in particular."""
    wanted = (or_(_w[name].is_(None), _w[name] == _m[name]) for name in WANTED)
    return ~select(_w.handle).where(_w.queue == _m.queue, *wanted).exists()


def _given(name: str) -> Any:
    return bindparam(name)


def _named(name: str) -> Callable[[], ColumnElement[bool]]:
    return lambda: _m[name] == _given(name)


# The conditions of a selection besides the queue. Each set of these names has a statement of its own.
_CONDITIONS: Mapping[str, Callable[[], ColumnElement[bool]]] = {
    **{name: _named(name) for name in WANTED},
    "no_correl_id": lambda: _m.correl_id.is_(None),
    "no_group_id": lambda: _m.group_id.is_(None),
    # SQLite reuses row numbers; the sequence number ensures that it is the same message.
    "id": lambda: (_m.id == bindparam("id")) & (_m.sequence == bindparam("sequence")),
    "unlocked": lambda: or_(UNLOCKED, _m.locked_by == bindparam("handle")),
    "unwanted": _unwanted,
    "live": lambda: not_expired(_given("now")),
    "unmarked": lambda: or_(_m.marked_until.is_(None), _m.marked_until <= bindparam("now")),
    "unmarked_here": lambda: _m.sequence.not_in(values_of(bindparam("marked"))),
    "same_rank": lambda: after(_given("rank"), _given("sequence")),
    "lower_rank": lambda: _m.rank < bindparam("rank"),
}


# A get takes messages, or discards expired ones, in transactions of at most this many (design §3.1).
AT_ONCE = 1000


class Expired(NamedTuple):
    """An expired message, as far as its discarding needs it."""

    id: int
    report: int
    expires_at: int | None


class Place(NamedTuple):
    """A message and its place on its queue."""

    id: int
    rank: int
    sequence: int


_SELECTED: Mapping[str, Callable[[], Iterable[Any]]] = {
    "message": lambda: [message],
    "expiry": lambda: [expired(_given("now")), *columns_of(message, Expired)],
    "place": lambda: columns_of(message, Place),
}


@lru_cache(maxsize=512)
def _selection(what: str, conditions: frozenset[str], limit: int) -> KnownStatement:
    names = sorted(conditions)

    def build() -> ClauseElement:
        chosen = select(*_SELECTED[what]()).where(_m.queue == bindparam("queue"), READY)
        chosen = chosen.where(*(_CONDITIONS[name]() for name in names))
        # With a limit that is a parameter SQLite plans the query anew each time, which costs four times the query.
        # Without an offset SQLAlchemy writes one that is a parameter, too.
        return chosen.order_by(_m.rank.desc(), _m.sequence).limit(constant(limit)).offset(ZERO)

    return KnownStatement(f"{what} {' '.join(names)} {limit}", build)


def usual_statements() -> Iterator[KnownStatement]:
    """Yield the selections of gets and browses, by identifier or not."""
    for chosen in (frozenset[str](), {"msg_id"}, {"correl_id"}):
        for place in (frozenset[str](), {"same_rank"}, {"lower_rank"}, {"unwanted"}):
            conditions = frozenset({"unlocked"} | chosen | place)
            yield _selection("message", conditions, 1)
            yield _selection("message", conditions, AT_ONCE)
            yield _selection("expiry", conditions, 1)
            yield _selection("expiry", conditions, AT_ONCE)
    yield _selection("expiry", frozenset(), 1)


def places(tx: Queries, conditions: frozenset[str], values: Mapping[str, Any], limit: int) -> list[Place]:
    """Return the places of up to `limit` committed messages in delivery order that meet `conditions`."""
    return [Place._make(row) for row in tx.all(_selection("place", conditions, limit), values)]


def first(tx: Queries, conditions: frozenset[str], values: Mapping[str, Any]) -> StoredMessage | None:
    """Return the first committed message in delivery order that meets `conditions`, or None."""
    row = tx.one(_selection("message", conditions, 1), values)
    return None if row is None else _stored(row)


def several(tx: Queries, conditions: frozenset[str], values: Mapping[str, Any], most: int) -> list[StoredMessage]:
    """Return up to `most` and up to AT_ONCE committed messages in delivery order that meet `conditions`."""
    statement = _selection("message", conditions, AT_ONCE)
    # The cursor reads no further than it is asked.
    return [*map(_stored, tx.execute(statement.text, statement.parameters(values)).fetchmany(most))]


def exists(reading: Queries, conditions: frozenset[str], values: Mapping[str, Any]) -> bool:
    """Return whether a committed message meets `conditions`; no message data is read."""
    return reading.one(_selection("expiry", conditions, 1), {**values, "now": 0}) is not None


def expired_before_first_live(
    tx: Queries, conditions: frozenset[str], values: Mapping[str, Any], now: int, limit: int
) -> list[Expired]:
    """Return up to `limit` expired messages that precede the first live one among those that meet `conditions`."""
    candidates = tx.all(_selection("expiry", conditions, limit), {**values, "now": now})
    return [Expired._make(row) for is_expired, *row in takewhile(lambda row: row[0], candidates)]


# Return the message with this row number in any state, or None.
by_id = find(StoredMessage, "message", "id")


@row(StoredMessage)
def _without_body(id: int) -> ClauseElement:
    return select(*WITHOUT_BODY).where(_m.id == id)


def without_body(tx: Queries, ids: Iterable[int]) -> list[StoredMessage]:
    """Return the messages with these row numbers, which must exist, with empty data."""
    return [found for id in ids if (found := _without_body(tx, id)) is not None]


@column(bytes)
def ids_between(queue: int, low: bytes, high: bytes, limit: int) -> ClauseElement:
    """Return up to `limit` MsgIds of available messages of a queue, from `low` to `high`, in order."""
    found = select(_m.msg_id).where(_m.queue == queue, READY, _m.msg_id.between(low, high))
    return found.distinct().order_by(_m.msg_id).limit(limit)


remove = removal("message", "id")


@change
def remove_range(first: int, last: int) -> ClauseElement:
    return delete(message).where(_m.id.between(first, last))


def remove_all(tx: Transaction, ids: Iterable[int]) -> None:
    for_each(tx, remove_range, ranges_of(ids))


def ranges_of(ids: Iterable[int]) -> list[tuple[int, int]]:
    """Return the row numbers as ranges (first, last) in their order: messages put in a row are one."""
    runs = [[*run] for _, run in groupby(enumerate(ids), lambda each: each[1] - each[0])]
    return [(run[0][1], run[-1][1]) for run in runs]


@change
def reserve(id: int, unit: int) -> ClauseElement:
    """Mark a message as got by `unit`; the commit of the unit removes it."""
    return _got(_m.id == id, unit)


@change
def reserve_range(first: int, last: int, unit: int) -> ClauseElement:
    """Mark the messages with these row numbers as `reserve` does."""
    return _got(_m.id.between(first, last), unit)


def _got(which: ColumnElement[bool], unit: int) -> ClauseElement:
    got = update(message).where(which)
    return got.values(state=constant(MessageState.GOT), unit=unit, locked_by=literal_column("NULL"))


@change
def lock(id: int, handle: int) -> ClauseElement:
    """Hide a message from every other handle."""
    return update(message).where(_m.id == id).values(locked_by=handle)


@change
def unlock(handle: int) -> ClauseElement:
    """Release the lock of a handle; return how many messages were locked (0 or 1)."""
    return update(message).where(_m.locked_by == handle, _m.locked_by.is_not(None)).values(locked_by=None)


@change
def mark(id: int, until: int | None) -> ClauseElement:
    """Mark a message as browsed by the co-operating handles until a moment, or without a limit for None."""
    return update(message).where(_m.id == id).values(marked_until=until)


@change
def clear(queue: int) -> ClauseElement:
    """Remove every message of a queue; return how many."""
    # Each state has its own index; a single SELECT for all would read every message of the store.
    states = ((READY,), (PUT_IN_UNIT,), (GOT_IN_UNIT, IN_UNIT))
    ids = union_all(*(select(_m.id).where(_m.queue == queue, *state) for state in states))
    return delete(message).where(_m.id.in_(ids))


@change
def remove_before(queue: int, below: int, limit: int) -> ClauseElement:
    """Remove up to `limit` available messages with a sequence number below `below`; return how many."""
    ids = select(_m.id).where(_m.queue == queue, READY, _m.sequence < below).limit(limit)
    return delete(message).where(_m.id.in_(ids))


@rows(StoredMessage)
def nonpersistent(owner: str, after: int, limit: int) -> ClauseElement:
    """Return up to `limit` non-persistent messages that a restart of the queue manager drops, with empty data.

    They are ordered by row number and greater than `after`, so that the next batch skips the messages that stay. Those
    of units in doubt stay too.
    """
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


class QueuePosition(NamedTuple):
    """The position of a message in its queue; a page begins after it."""

    # Higher than the rank of any message, so the page after it is the first.
    rank: int = 10
    sequence: int = -1


@lru_cache(maxsize=64)
def _page(condition: str, size: int, most: int | None) -> KnownStatement:
    def build() -> ClauseElement:
        # substr returns NULL for an empty BLOB.
        body = _m.body if most is None else literal_column(f"ifnull(substr(body, 1, {most}), x'')").label("body")
        columns = [_m[name] if name != "body" else body for name in StoredMessage._fields]
        chosen = select(*columns).where(_m.queue == bindparam("queue"), READY, _CONDITIONS[condition]())
        chosen = chosen.where(_m.sequence < bindparam("before"))
        return chosen.order_by(_m.rank.desc(), _m.sequence).limit(constant(size))

    return KnownStatement(f"page {condition} {size} {most}", build)


def page(
    tx: Queries, queue: int, after: QueuePosition, *, before: int, size: int, most: int | None = None
) -> list[StoredMessage]:
    """Return the next committed messages in delivery order whose sequence number is below `before`.

    `most` is how many bytes of data to read from each, None for all. A page of fewer than `size` is the last.
    """
    values = {"queue": queue, "rank": after.rank, "sequence": after.sequence, "before": before}
    # Two statements, because an index serves each of them; one with OR would read the queue from its head every time.
    found = tx.all(_page("same_rank", size, most), values)
    if len(found) < size:
        found += tx.all(_page("lower_rank", size, most), values)[: size - len(found)]
    return [*map(_stored, found)]


@change
def set_backout_count(queue: int, msg_id: bytes, backouts: int) -> ClauseElement:
    """Set the backout count of the available messages of a queue with a MsgId."""
    return update(message).where(_m.queue == queue, READY, _m.msg_id == msg_id).values(backout_count=backouts)


BACKED_OUT_AT_ONCE = 500


@rows(StoredMessage)
def backed_out(queue: int, rank: int, sequence: int) -> ClauseElement:
    """Return the available messages with a backout count after a position, in delivery order, without data.

    At most BACKED_OUT_AT_ONCE.
    """
    found = select(*WITHOUT_BODY)
    found = found.where(_m.queue == queue, READY, _m.backout_count > ZERO, or_(_m.rank < rank, after(rank, sequence)))
    return found.order_by(_m.rank.desc(), _m.sequence).limit(constant(BACKED_OUT_AT_ONCE))


def add_waiter(tx: Transaction, handle: int, queue: int, wanted: Mapping[str, Any]) -> None:
    """Record that a get through `handle` waits for messages of the queue that have the values in `wanted`."""
    # An interrupted call may have left the row of its handle.
    tx.replace("waiter", {**dict.fromkeys(WANTED), **wanted, "handle": handle, "queue": queue})


# Record that the get through `handle` no longer waits.
remove_waiter = removal("waiter", "handle")


class MoveBatch(NamedTuple):
    """The first messages of a queue in the order in which they were put.

    `first` and `last` are their sequence numbers, `longest` is the length of the longest in bytes, `asking` is how many
    have one of the given report options.
    """

    number: int
    first: int
    last: int
    longest: int
    earliest_expiry: int | None
    asking: int


def _asks(options: int) -> ColumnElement[bool]:
    return _m.report.op("&")(options) != ZERO


@one(MoveBatch)
def move_batch(source: int, below: int, limit: int, asking: int) -> ClauseElement:
    """Describe up to `limit` available messages with a sequence number below `below`; `asking`: report options."""
    found = select(_m.sequence, _m.length, _m.expires_at, _asks(asking).label("asks"))
    found = found.where(_m.queue == source, READY, _m.sequence < below).order_by(_m.sequence)
    batch = found.limit(limit).subquery("batch").c
    return select(
        func.count(), func.coalesce(func.min(batch.sequence), ZERO), func.coalesce(func.max(batch.sequence), ZERO),
        func.coalesce(func.max(batch.length), ZERO), func.min(batch.expires_at),
        func.coalesce(func.sum(batch.asks), ZERO),
    )  # fmt: skip


@change
def move(source: int, last: int, target: int, shift: int, fifo: Any, default_priority: int) -> ClauseElement:
    """Move the messages up to the sequence number `last`, adding `shift` to their numbers; return how many."""
    rank = case((fifo == ONE, default_priority), else_=func.min(_m.priority, constant(9)))
    moved = update(message).where(_m.queue == source, READY, _m.sequence <= last)
    return moved.values(queue=target, sequence=_m.sequence + shift, rank=rank)


def _moved(target: int, first: int, last: int) -> tuple[ColumnElement[bool], ...]:
    return _m.queue == target, READY, _m.sequence.between(first, last)


@column(int)
def moved_ranks(target: int, first: int, last: int) -> ClauseElement:
    """Return the effective priorities of the messages with these sequence numbers, in order."""
    return select(_m.rank).where(*_moved(target, first, last)).order_by(_m.sequence)


@column(int)
def moved_asking(target: int, first: int, last: int, options: int) -> ClauseElement:
    """Return the row numbers of those of the messages that have one of these report options, in order."""
    return select(_m.id).where(*_moved(target, first, last), _asks(options)).order_by(_m.sequence)
