"""The status and statistics of queues: oldest message, uncommitted messages, counts since a
reset, waiting gets.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from mqsc.store.sql.results import every_row, first_row, first_value
from mqsc.store.sql.texts import json_list, named_statements
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

SQL = named_statements(__file__)
HIGHEST_RANK = 9


def _oldest(tx: Queries, queue: int) -> Any:
    return tx.execute(SQL["oldest"], (queue,)).fetchone()


def oldest_put(tx: Queries, queue: int) -> int | None:
    """Return when the oldest message on a queue was put, committed or not, in microseconds UTC;
    None if it is empty.
    """
    return _oldest(tx, queue)[0]  # type: ignore[no-any-return]


class QueueStatisticsRow(NamedTuple):
    """The status and statistics of a local queue; `monitoring` is MONQ as defined, `disposition`
    QSGDISP.
    """

    id: int
    name: str
    depth: int
    input_handles: int
    output_handles: int
    last_put_at: int | None
    last_get_at: int | None
    short_queue_time: int | None
    long_queue_time: int | None
    puts: int
    gets: int
    high_depth: int
    statistics_since: int
    monitoring: str
    disposition: str


def page(
    tx: Queries,
    owner: str,
    low: str,
    high: str,
    limit: int,
    qmgr: str,
) -> list[QueueStatisticsRow]:
    """Return up to `limit` local queues by name: at least `low`, below `high`, with the handles
    of `qmgr`.
    """
    return every_row(QueueStatisticsRow, tx.execute(SQL["page"], (owner, low, high, limit, qmgr)))


def uncommitted(tx: Queries, queues: list[int]) -> dict[Any, Any]:
    """Return how many messages open units of work have put to or got from each queue; queues
    without any are absent.
    """
    return dict(tx.execute(SQL["uncommitted"], (json_list(queues),)).fetchall())


def uncommitted_of_member(tx: Queries, queue: int, qmgr: str) -> int:
    """Return how many messages of a shared queue the units of work of one member have put or
    got.
    """
    return first_value(int, tx.execute(SQL["uncommitted_of_member"], (queue, qmgr)))


def _reset_all(tx: Transaction, qmgr: str, now: int) -> int:
    return tx.execute(SQL["reset_all"], (qmgr, now)).rowcount


def _reset_shares(tx: Transaction, qmgr: str, now: int) -> int:
    return tx.execute(SQL["reset_shares"], (qmgr, now)).rowcount


def reset_all(tx: Transaction, qmgr: str, now: int) -> None:
    """Start the statistics of all local queues of a queue manager anew, and its share of those
    of shared queues.
    """
    _reset_all(tx, qmgr, now)
    _reset_shares(tx, qmgr, now)


def _reset(tx: Transaction, id: int, now: int) -> int:
    return tx.execute(SQL["reset"], (id, now)).rowcount


def reset(tx: Transaction, queues: Iterable[int], now: int) -> None:
    """Start the statistics of these queues anew."""
    tx.execute_for_each(SQL["reset"], [(id, now) for id in queues])


class MemberStatistics(NamedTuple):
    """A member's share of the statistics of a shared queue. `high_depth` is the greatest depth of
    the whole queue that it saw at a put; `since` is when the statistics began, None for the
    definition of the queue.
    """

    puts: int = 0
    gets: int = 0
    high_depth: int = 0
    since: int | None = None
    last_put_at: int | None = None
    last_get_at: int | None = None


def _of_member(tx: Queries, queue: int, qmgr: str) -> MemberStatistics | None:
    return first_row(MemberStatistics, tx.execute(SQL["of_member"], (queue, qmgr)))


def of_member(tx: Queries, queue: int, qmgr: str) -> MemberStatistics:
    """Return what a member has counted on a shared queue."""
    return _of_member(tx, queue, qmgr) or MemberStatistics()


def count_member_puts(
    tx: Transaction,
    queue: int,
    qmgr: str,
    count: int,
    depth: int,
    now: int,
) -> int:
    """Count puts of a member to a shared queue, whose depth they raise to `depth`."""
    return tx.execute(SQL["count_member_puts"], (queue, qmgr, count, depth, now)).rowcount


def count_member_get(tx: Transaction, queue: int, qmgr: str, now: int) -> int:
    """Count a get of a member from a shared queue."""
    return tx.execute(SQL["count_member_get"], (queue, qmgr, now)).rowcount


def reset_member(tx: Transaction, id: int, qmgr: str, now: int) -> int:
    """Start a member's share of the statistics of a shared queue anew."""
    return tx.execute(SQL["reset_member"], (id, qmgr, now)).rowcount


# A queue, by its number, as a queue manager sees it; 0 for the queue manager alone.
WaitPlace = tuple[str, int]
WaitState = tuple[object, ...]
# Above this the number of uncommitted messages is not counted to its end.
MOST_COUNTED = 1000


def _queue_states(tx: Queries, queues: list[int]) -> list[Any]:
    return tx.execute(SQL["queue_states"], (json_list(queues),)).fetchall()


def _manager_states(tx: Queries, names: list[str]) -> list[Any]:
    return tx.execute(SQL["manager_states"], (json_list(names),)).fetchall()


def wait_states(tx: Queries, places: Iterable[WaitPlace]) -> dict[WaitPlace, WaitState]:
    """The state of each place that waiting gets depend on; while it stays the same, they need not
    look again.

    A place that is missing must be regarded as changed.
    """
    wanted = set(places)
    managers = {row[0]: row for row in _manager_states(tx, [*{name for name, _ in wanted}])}
    found = _queue_states(tx, [*{queue for _, queue in wanted if queue}])
    queues = {0: (), **{row[0]: row for row in found if row[-1] < MOST_COUNTED}}
    return {
        (name, queue): (managers[name], queues[queue])
        for name, queue in wanted
        if name in managers and queue in queues
    }


class QueueLoad(NamedTuple):
    """The depth of a local queue, the puts and gets since its statistics began, and the handles
    of a queue manager.
    """

    id: int
    name: str
    depth: int
    max_depth: int
    puts: int
    gets: int
    trigger_on: int
    input_handles: int
    output_handles: int


def loads(tx: Queries, owner: str, qmgr: str) -> list[QueueLoad]:
    """Return the local queues of an owner, with the handles of `qmgr`."""
    return every_row(QueueLoad, tx.execute(SQL["loads"], (owner, qmgr)))


def all_uncommitted(tx: Queries) -> dict[Any, Any]:
    """Return how many messages open units of work have put to or got from each queue that has
    any.
    """
    return dict(tx.execute(SQL["all_uncommitted"], ()).fetchall())


def kinds_since(tx: Queries, after: int, qmgr: str) -> list[Any]:
    """Return (kind, queue, number) of the events of a queue manager after one with this number."""
    return tx.execute(SQL["kinds_since"], (after, qmgr)).fetchall()


def channel_states(tx: Queries, qmgr: str) -> dict[Any, Any]:
    """Return (MQCHS, number) of the channels of a queue manager that are not inactive."""
    return dict(tx.execute(SQL["channel_states"], (qmgr,)).fetchall())
