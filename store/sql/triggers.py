"""Statements for triggering: initiation queues, counts of messages by priority, members of a
sharing group.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from mqsc.store.sql.results import every_row, first_column, first_row, first_value
from mqsc.store.sql.rows import MessageState, QueueRow
from mqsc.store.sql.selection import count_of_rank as ranked
from mqsc.store.sql.texts import named_statements
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

SQL = named_statements(__file__)


def record(tx: Transaction, id: int, qmgr: str, now: int, depth: int, by_close: Any) -> int:
    """Record that a trigger message was generated for the queue; the TRIGINT interval starts
    now.
    """
    return tx.execute(SQL["record"], (id, qmgr, now, depth, by_close)).rowcount


def repeats(tx: Queries, id: int, qmgr: str) -> int:
    """Return how many closes in a row have triggered without the depth having fallen in between."""
    return first_value(int, tx.execute(SQL["repeats"], (id, qmgr)))


def forget(tx: Transaction, qmgr: str) -> int:
    """Treat TRIGINT as elapsed for every queue, as after a restart of the queue manager."""
    return tx.execute(SQL["forget"], (qmgr,)).rowcount


class InitiationQueue(NamedTuple):
    """The local queue that an INITQ names, as far as triggering needs it; the handles are those
    of one member.
    """

    owner: str
    name: str
    get_enabled: int
    put_enabled: int
    is_transmission: int
    logically_deleted: int
    default_priority: int
    input_handles: int


def _initiation_queue(tx: Queries, qmgr: str, name: str) -> InitiationQueue | None:
    return first_row(InitiationQueue, tx.execute(SQL["initiation_queue"], (qmgr, name)))


def _initiation_queues_in_group(tx: Queries, qmgr: str, name: str, group: str) -> list[Any]:
    return tx.execute(SQL["initiation_queues_in_group"], (qmgr, name, group)).fetchall()


def initiation_queue(tx: Queries, qmgr: str, name: str, group: str = "") -> InitiationQueue | None:
    """Return the local queue of that name as an initiation queue, or None; every put that may
    trigger calls it.

    A member of `group` finds its own queues and shared ones, but none that both have (2343).
    """
    if not group:
        return _initiation_queue(tx, qmgr, name)
    found = _initiation_queues_in_group(tx, qmgr, name, group)
    if len(found) != 1 or found[0][-1] != "QLOCAL":
        return None
    return InitiationQueue._make(found[0][:-1])


def triggering_to(tx: Queries, qmgr: str, initiation_queue: str, group: str = "") -> list[QueueRow]:
    """Return the queues with TRIGGER and this INITQ, by name: those of `qmgr`, and the shared
    ones of its group.
    """
    return every_row(QueueRow, tx.execute(SQL["triggering_to"], (qmgr, initiation_queue, group)))


def is_initiation_queue(tx: Queries, owner: str, name: str) -> bool:
    """Return whether any queue has this one as its INITQ, with TRIGGER or NOTRIGGER."""
    return tx.execute(SQL["is_initiation_queue"], (owner, name)).fetchone() is not None


def initiation_queues_of_channels(tx: Queries, owner: str) -> list[str]:
    """Return the initiation queues of the transmission queues."""
    return first_column(tx.execute(SQL["initiation_queues_of_channels"], (owner,)))


def initiation_queues_of_channels_alone(tx: Queries, owner: str) -> list[str]:
    """Return the same without those that other queues use, too: a trigger monitor reads them."""
    return first_column(tx.execute(SQL["initiation_queues_of_channels_alone"], (owner,)))


def count_committed(tx: Queries, queue: int, rank: int, limit: int) -> int:
    """Count the committed messages of at least that effective priority, up to `limit`."""
    return int(tx.value(ranked(MessageState.AVAILABLE, limit), {"queue": queue, "rank": rank}))


def count_of_rank(tx: Queries, queue: int, rank: int, limit: int) -> int:
    """Count the messages of at least that effective priority, available or put by an open unit,
    up to `limit`.
    """
    available = count_committed(tx, queue, rank, limit)
    if available >= limit:
        return available
    put = tx.value(ranked(MessageState.PUT, limit), {"queue": queue, "rank": rank})
    return min(limit, available + int(put))


def count_uncommitted_puts(tx: Queries, queue: int) -> int:
    """Return how many messages open units have put on the queue."""
    return first_value(int, tx.execute(SQL["count_uncommitted_puts"], (queue,)))


def committed_by_rank(tx: Queries, queue: int) -> dict[Any, Any]:
    """Count the committed messages of each effective priority."""
    return dict(tx.execute(SQL["committed_by_rank"], (queue,)).fetchall())


def _uncommitted_by_rank(tx: Queries, queue: int) -> dict[Any, Any]:
    return dict(tx.execute(SQL["uncommitted_by_rank"], (queue,)).fetchall())


def counts_by_rank(tx: Queries, queue: int) -> dict[int, int]:
    """Count the messages of each effective priority, available or put by an open unit."""
    return Counter(committed_by_rank(tx, queue)) + Counter(_uncommitted_by_rank(tx, queue))


class RunningMember(NamedTuple):
    """A running member of a group, by what it decides about one queue, and the handles that it
    has open on that.
    """

    name: str
    number: int
    trigger_interval: int
    input_handles: int
    exclusive_handles: int
    last_trigger: int | None


def running_members(tx: Queries, group: str, queue: int) -> list[RunningMember]:
    """Return the running members by number."""
    return every_row(RunningMember, tx.execute(SQL["running_members"], (group, queue)))


def put_in_unit(tx: Queries, unit: int) -> list[Any]:
    """Return the messages that an open unit has put on shared queues with TRIGGER, in the order of
    the puts.

    Each has the values of `store.rules.trigger.group_triggering.Committed`.
    """
    return tx.execute(SQL["put_in_unit"], (unit,)).fetchall()
