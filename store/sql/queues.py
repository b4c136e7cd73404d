"""Queues: the columns that calls read, depth, sequence, and the open handles of a queue manager."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mqsc.store.sql.results import every_row, first_column, first_row, first_value
from mqsc.store.sql.rows import ManagerRow, QueueRow
from mqsc.store.sql.texts import json_list, named_statements
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries
from mqsc.store.sqlite.statement import update_text

SQL = named_statements(__file__)


def by_id(tx: Queries, id: int, qmgr: str) -> QueueRow | None:
    """Return the queue with that number and the handles of `qmgr` on it; None when it has been
    deleted.
    """
    return first_row(QueueRow, tx.execute(SQL["by_id"], (id, qmgr)))


def _by_name(tx: Queries, owner: str, name: str, qmgr: str) -> QueueRow | None:
    return first_row(QueueRow, tx.execute(SQL["by_name"], (owner, name, qmgr)))


def by_name(tx: Queries, owner: str, name: str, qmgr: str = "") -> QueueRow | None:
    """Return the queue object of that name, of any type, or None.

    The handles are those of `qmgr`, which must be given when `owner` is a queue-sharing group.
    """
    return _by_name(tx, owner, name, qmgr or owner)


def visible(tx: Queries, qmgr: ManagerRow, name: str) -> QueueRow | None:
    """Return the queue manager's own queue object of that name, else the shared queue of its
    group, or None.
    """
    own = by_name(tx, qmgr.name, name)
    if own is None and qmgr.sharing_group:
        return by_name(tx, qmgr.sharing_group, name, qmgr.name)
    return own


def name_of(tx: Queries, id: int) -> str:
    """Return the name of the queue with that number; blank when it has been deleted."""
    return first_value(str, tx.execute(SQL["name_of"], (id,)))


def name_and_owner(tx: Queries, id: int) -> Any:
    """Return the name and the owner of the queue with that number, which must exist."""
    return tx.execute(SQL["name_and_owner"], (id,)).fetchone()


# Version, depth, next sequence number and earliest expiry of a queue; version, run, state and
# manual clock of a queue manager.
HotColumns = tuple[int, int, int, int | None, int, int, str, int | None]


def read_hot_columns(tx: Queries, id: int, qmgr: str) -> HotColumns | None:
    """Return the columns that every call reads anew; None when the queue or the queue manager
    has been deleted.
    """
    return tx.execute(SQL["hot_columns"], (id, qmgr)).fetchone()  # type: ignore[no-any-return]


def read_hot_columns_of(
    tx: Queries, ids: Sequence[int]
) -> list[tuple[int, int, int, int, int | None]]:
    """Return the number, the version, the depth, the next sequence number and the earliest expiry
    of each of these queues.
    """
    return tx.execute(SQL["hot_columns_of"], (json_list([*ids]),)).fetchall()


def count_put_each(tx: Transaction, ids: str, now: int) -> None:
    """Count one put to each of these queues, whose numbers are a JSON list."""
    tx.execute(SQL["count_put_each"], (ids, now))


def count_puts(tx: Transaction, id: int, count: int, now: int) -> None:
    """Count `count` puts: depth, sequence number, statistics."""
    tx.execute(SQL["count_puts"], (id, count, now))


def lower_earliest_expiry(tx: Transaction, id: int, at: int) -> int:
    """Take account of a message that expires at `at`."""
    return tx.execute(SQL["lower_earliest_expiry"], (id, at)).rowcount


def count_get(tx: Transaction, id: int, now: int, waited: int) -> None:
    """Count the get of a message that was on the queue for `waited` microseconds: depth,
    statistics.
    """
    tx.execute(SQL["count_get"], (id, now, waited))


def count_gets(tx: Transaction, id: int, now: int, waited: Sequence[int]) -> None:
    """Count the gets of several messages in order, with the result of `count_get` for each."""
    short, long = _queue_times(tx, id)
    for each in waited:
        short = each if short is None else short - short // 8 + each // 8
        long = each if long is None else long - long // 256 + each // 256
    _count_gets(tx, id, len(waited), now, short, long)


def _queue_times(tx: Queries, id: int) -> Any:
    return tx.execute(SQL["queue_times"], (id,)).fetchone()


def _count_gets(tx: Transaction, id: int, count: int, now: int, short: int, long: int) -> int:
    return tx.execute(SQL["count_gets"], (id, count, now, short, long)).rowcount


def change_depth(tx: Transaction, id: int, change: int, returned: int = 0) -> int:
    """Add `change` to the depth without counting puts or gets.

    `returned` messages became available again: the sequence number is raised, so that waiting gets
    notice.
    """
    return tx.execute(SQL["change_depth"], (id, change, returned)).rowcount


def change_depth_by_move(
    tx: Transaction,
    id: int,
    change: int,
    next: int,
    earliest: int | None,
) -> int:
    """Add `change` to the depth of a queue without counting puts or gets, and set its next
    sequence and expiry.
    """
    return tx.execute(SQL["change_depth_by_move"], (id, change, next, earliest)).rowcount


def count_handles(
    tx: Transaction,
    id: int,
    qmgr: str,
    input: int,
    exclusive: int,
    output: int,
) -> int:
    """Add to the numbers of open handles that `qmgr` holds on the queue; negative numbers
    subtract.
    """
    return tx.execute(SQL["count_handles"], (id, qmgr, input, exclusive, output)).rowcount


def handles_of_all(tx: Queries, id: int) -> Any:
    """Return (input handles, exclusive input handles, output handles) of all queue managers on
    the queue.
    """
    return tx.execute(SQL["handles_of_all"], (id,)).fetchone()


def _input_handles_of(tx: Queries, id: int, qmgr: str) -> Any:
    return tx.execute(SQL["input_handles_of"], (id, qmgr)).fetchone()


def input_handles_of(tx: Transaction, id: int, qmgr: str) -> tuple[int, int | None]:
    """Return (input handles of `qmgr` on the queue, time of the last trigger message that it
    generated for it).
    """
    return _input_handles_of(tx, id, qmgr) or (0, None)


class QueueBeforeChange(NamedTuple):
    """The facts about a queue that a change of attributes needs: its use, and the columns that
    decide triggers.
    """

    id: int
    generation: int
    depth: int
    trigger_on: int
    trigger_type: int
    trigger_priority: int
    trigger_depth: int
    get_enabled: int
    put_enabled: int


def before_change(tx: Queries, owner: str, name: str) -> QueueBeforeChange | None:
    """Return the queue object of that name, or None; a whole row takes five times as long."""
    return first_row(QueueBeforeChange, tx.execute(SQL["before_change"], (owner, name)))


def add(tx: Transaction, values: Mapping[str, Any]) -> int:
    """Store the row of a queue object; columns that are not given have their defaults. Return
    its number.
    """
    return tx.insert("queue", values)


def add_all(tx: Transaction, rows: list[dict[str, Any]]) -> None:
    for each in rows:
        add(tx, each)


def set_columns(tx: Transaction, id: int, values: Mapping[str, Any]) -> None:
    """Update columns of the queue's row and raise its version."""
    tx.execute(update_text("queue", tuple(values), key="id"), (*values.values(), id))


def _remove(tx: Transaction, id: int) -> int:
    return tx.execute(SQL["remove"], (id,)).rowcount


def _remove_members(tx: Transaction, queue: int) -> int:
    return tx.execute(SQL["remove_members"], (queue,)).rowcount


def remove(tx: Transaction, id: int) -> None:
    """Remove the row of a queue object and the handle counts for it. Its messages must have been
    removed.
    """
    _remove_members(tx, id)
    _remove(tx, id)


class LocalQueue(NamedTuple):
    """What a scan of many local queues needs of each."""

    id: int
    name: str
    depth: int
    earliest_expiry: int | None
    owner: str


def expiring(tx: Queries, owner: str, now: int) -> list[LocalQueue]:
    """Return the queues that may hold an expired message; other queues cost nothing."""
    return every_row(LocalQueue, tx.execute(SQL["expiring"], (owner, now)))


def local_page(
    tx: Queries,
    owner: str,
    low: str,
    high: str,
    after: str,
    limit: int,
) -> list[LocalQueue]:
    """Return up to `limit` local queues by name: at least `low`, below `high` (unless blank),
    greater than `after`.
    """
    return every_row(LocalQueue, tx.execute(SQL["local_page"], (owner, low, high, after, limit)))


def message_count(tx: Queries, owner: str) -> int:
    """Return the sum of the depths of the queues of an owner, but those for events of queue
    managers.
    """
    return first_value(int, tx.execute(SQL["message_count"], (owner,)))


def with_messages(tx: Queries, owner: str) -> list[int]:
    """Return the numbers of the queues that hold messages, by name."""
    return first_column(tx.execute(SQL["with_messages"], (owner,)))
