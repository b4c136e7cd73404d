"""Messages on queues: selecting, reserving, locking, moving and removing them; gets that wait
for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby, takewhile
from typing import Any, NamedTuple

from mqsc.store.sql.results import every_row, first_column, first_row, only_row
from mqsc.store.sql.rows import StoredMessage
from mqsc.store.sql.selection import WANTED, Expired, Place, page as page_of, selection
from mqsc.store.sql.texts import named_statements
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

SQL = named_statements(__file__)
# A get takes messages, or discards expired ones, in transactions of at most this many (design
# §3.1).
AT_ONCE = 1000


def places(
    tx: Queries,
    conditions: frozenset[str],
    values: Mapping[str, Any],
    limit: int,
) -> list[Place]:
    """Return the places of up to `limit` committed messages in delivery order that meet
    `conditions`.
    """
    return [Place._make(row) for row in tx.all(selection("place", conditions, limit), values)]


def first(
    tx: Queries,
    conditions: frozenset[str],
    values: Mapping[str, Any],
) -> StoredMessage | None:
    """Return the first committed message in delivery order that meets `conditions`, or None."""
    row = tx.first_row(selection("message", conditions, 1), values)
    return None if row is None else StoredMessage._make(row)


def first_batch(
    tx: Queries,
    conditions: frozenset[str],
    values: Mapping[str, Any],
    most: int,
) -> list[StoredMessage]:
    """Return up to `most` and up to AT_ONCE committed messages in delivery order that meet
    `conditions`.
    """
    text = selection("message", conditions, AT_ONCE)
    # The cursor reads no further than it is asked.
    return [*map(StoredMessage._make, tx.execute(text, values).fetchmany(most))]


def exists(reading: Queries, conditions: frozenset[str], values: Mapping[str, Any]) -> bool:
    """Return whether a committed message meets `conditions`; no message data is read."""
    return reading.first_row(selection("expiry", conditions, 1), {**values, "now": 0}) is not None


def expired_before_first_live(
    tx: Queries,
    conditions: frozenset[str],
    values: Mapping[str, Any],
    now: int,
    limit: int,
) -> list[Expired]:
    """Return up to `limit` expired messages that precede the first live one among those that
    meet `conditions`.
    """
    candidates = tx.all(selection("expiry", conditions, limit), {**values, "now": now})
    return [Expired._make(row) for is_expired, *row in takewhile(lambda row: row[0], candidates)]


def by_id(tx: Queries, id: int) -> StoredMessage | None:
    """Return the message with this row number in any state, or None."""
    return first_row(StoredMessage, tx.execute(SQL["by_id"], (id,)))


def _without_body(tx: Queries, id: int) -> StoredMessage | None:
    return first_row(StoredMessage, tx.execute(SQL["without_body"], (id,)))


def without_body(tx: Queries, ids: Iterable[int]) -> list[StoredMessage]:
    """Return the messages with these row numbers, which must exist, with empty data."""
    return [found for id in ids if (found := _without_body(tx, id)) is not None]


def ids_between(tx: Queries, queue: int, low: bytes, high: bytes, limit: int) -> list[bytes]:
    """Return up to `limit` MsgIds of available messages of a queue, from `low` to `high`, in
    order.
    """
    return first_column(tx.execute(SQL["ids_between"], (queue, low, high, limit)))


def remove(tx: Transaction, id: int) -> int:
    return tx.execute(SQL["remove"], (id,)).rowcount


def remove_ranges(tx: Transaction, ranges: Iterable[tuple[int, int]]) -> None:
    """Remove the messages with the row numbers from the first to the last of each range."""
    tx.execute_for_each(SQL["remove_range"], ranges)


def remove_all(tx: Transaction, ids: Iterable[int]) -> None:
    """Remove the messages with these row numbers."""
    remove_ranges(tx, ranges_of(ids))


def ranges_of(ids: Iterable[int]) -> list[tuple[int, int]]:
    """Return the row numbers as ranges (first, last) in their order: messages put in a row are
    one.
    """
    runs = [[*run] for _, run in groupby(enumerate(ids), lambda each: each[1] - each[0])]
    return [(run[0][1], run[-1][1]) for run in runs]


def reserve(tx: Transaction, id: int, unit: int) -> int:
    """Mark a message as got by `unit`; the commit of the unit removes it."""
    return tx.execute(SQL["reserve"], (id, unit)).rowcount


def reserve_ranges(tx: Transaction, ranges: Iterable[tuple[int, int]], unit: int) -> None:
    """Mark the messages with the row numbers of each range as `reserve` does."""
    tx.execute_for_each(SQL["reserve_range"], [(*each, unit) for each in ranges])


def lock(tx: Transaction, id: int, handle: int) -> int:
    """Hide a message from every other handle."""
    return tx.execute(SQL["lock"], (id, handle)).rowcount


def unlock(tx: Transaction, handle: int) -> int:
    """Release the lock of a handle; return how many messages were locked (0 or 1)."""
    return tx.execute(SQL["unlock"], (handle,)).rowcount


def mark(tx: Transaction, id: int, until: int | None) -> int:
    """Mark a message as browsed by the co-operating handles until a moment, or without a limit
    for None.
    """
    return tx.execute(SQL["mark"], (id, until)).rowcount


def clear(tx: Transaction, queue: int) -> int:
    """Remove every message of a queue; return how many."""
    return tx.execute(SQL["clear"], (queue,)).rowcount


def remove_before(tx: Transaction, queue: int, below: int, limit: int) -> int:
    """Remove up to `limit` available messages with a sequence number below `below`; return how
    many.
    """
    return tx.execute(SQL["remove_before"], (queue, below, limit)).rowcount


def nonpersistent(tx: Queries, owner: str, after: int, limit: int) -> list[StoredMessage]:
    """Return up to `limit` non-persistent messages that a restart of the queue manager drops, with
    empty data.

    They are ordered by row number and greater than `after`, so that the next batch skips the
    messages that stay. Those of units in doubt stay too.
    """
    return every_row(StoredMessage, tx.execute(SQL["nonpersistent"], (owner, after, limit)))


class QueuePosition(NamedTuple):
    """The position of a message in its queue; a page begins after it."""

    # Higher than the rank of any message, so the page after it is the first.
    rank: int = 10
    sequence: int = -1


def page(
    tx: Queries,
    queue: int,
    after: QueuePosition,
    *,
    before: int,
    size: int,
    most: int | None = None,
) -> list[StoredMessage]:
    """Return the next committed messages in delivery order whose sequence number is below `before`.

    `most` is how many bytes of data to read from each, None for all. A page of fewer than `size` is
    the last.
    """
    values = {"queue": queue, "rank": after.rank, "sequence": after.sequence, "before": before}
    # Two statements, because an index serves each of them; one with OR would read the queue from
    # its head every time.
    found = tx.all(page_of("same_rank", size, most), values)
    if len(found) < size:
        found += tx.all(page_of("lower_rank", size, most), values)[: size - len(found)]
    return [*map(StoredMessage._make, found)]


def set_backout_count(tx: Transaction, queue: int, msg_id: bytes, backouts: int) -> int:
    """Set the backout count of the available messages of a queue with a MsgId."""
    return tx.execute(SQL["set_backout_count"], (queue, msg_id, backouts)).rowcount


def set_put_at(tx: Transaction, queue: int, msg_id: bytes, put_at: int) -> int:
    """Set when the available messages of a queue with a MsgId were put there."""
    return tx.execute(SQL["set_put_at"], (queue, msg_id, put_at)).rowcount


BACKED_OUT_AT_ONCE = 500


def backed_out(tx: Queries, queue: int, rank: int, sequence: int) -> list[StoredMessage]:
    """Return the available messages with a backout count after a position, in delivery order,
    without data.

    At most BACKED_OUT_AT_ONCE.
    """
    return every_row(StoredMessage, tx.execute(SQL["backed_out"], (queue, rank, sequence)))


def add_waiter(tx: Transaction, handle: int, queue: int, wanted: Mapping[str, Any]) -> None:
    """Record that a get through `handle` waits for messages of the queue that have the values in
    `wanted`.
    """
    # An interrupted call may have left the row of its handle.
    tx.replace("waiter", {**dict.fromkeys(WANTED), **wanted, "handle": handle, "queue": queue})


def remove_waiter(tx: Transaction, handle: int) -> int:
    """Record that the get through `handle` no longer waits."""
    return tx.execute(SQL["remove_waiter"], (handle,)).rowcount


class MoveBatch(NamedTuple):
    """The first messages of a queue in the order in which they were put.

    `first` and `last` are their sequence numbers, `longest` is the length of the longest in bytes,
    `asking` is how many have one of the given report options.
    """

    number: int
    first: int
    last: int
    longest: int
    earliest_expiry: int | None
    asking: int


def move_batch(tx: Queries, source: int, below: int, limit: int, asking: int) -> MoveBatch:
    """Describe up to `limit` available messages with a sequence number below `below`; `asking`:
    report options.
    """
    return only_row(MoveBatch, tx.execute(SQL["move_batch"], (source, below, limit, asking)))


def move(
    tx: Transaction,
    source: int,
    last: int,
    target: int,
    shift: int,
    fifo: Any,
    default_priority: int,
) -> int:
    """Move the messages up to the sequence number `last`, adding `shift` to their numbers;
    return how many.
    """
    return tx.execute(SQL["move"], (source, last, target, shift, fifo, default_priority)).rowcount


def moved_ranks(tx: Queries, target: int, first: int, last: int) -> list[int]:
    """Return the effective priorities of the messages with these sequence numbers, in order."""
    return first_column(tx.execute(SQL["moved_ranks"], (target, first, last)))


def moved_asking(tx: Queries, target: int, first: int, last: int, options: int) -> list[int]:
    """Return the row numbers of those of the messages that have one of these report options, in
    order.
    """
    return first_column(tx.execute(SQL["moved_asking"], (target, first, last, options)))
