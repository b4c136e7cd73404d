"""What is expired on queues, and what a get or a scan would do about it: a preview that changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from store.admin.refresh import matching_queues
from store.engine import name_resolution
from store.engine.state import QueueManagerState
from store.sql import expiry_preview as statements
from store.sql.rows import QueueRow
from store.sqlite.database import Reading

NEXT_MOMENTS = 5


@dataclass(frozen=True, slots=True)
class ExpiryPreview:
    """A queue's messages past their expiry at `now` (all times microseconds UTC).

    `expired` count towards the depth, those locked or in a unit of work too. `get_discards` is what a get of any
    message would discard before it finds one (all of them when `get_finds` is false), `scan_discards` and
    `scan_reports` what a scan would. `next` are (moment, messages) of the next expiries, `putters` (application, user,
    messages).
    """

    queue: str
    now: int
    depth: int
    expired: int
    expired_bytes: int
    expired_since: int | None
    get_discards: int
    get_finds: bool
    scan_discards: int
    scan_reports: int
    next: tuple[tuple[int, int], ...]
    putters: tuple[tuple[str, str, int], ...]


def preview(qmgr: QueueManagerState, pattern: str = "*") -> Iterator[ExpiryPreview]:
    """The local queues whose name matches, by name; for a name that is not generic the one that it leads to.

    An alias or a remote queue stands for the local queue behind it. MQError 2058 when the queue manager is gone.
    """
    now = qmgr.now()
    for queue in matching_queues(qmgr, pattern) if pattern.endswith("*") else _behind(qmgr, pattern):
        yield _preview(qmgr, queue, now)


def _behind(qmgr: QueueManagerState, name: str) -> list[QueueRow]:
    manager = qmgr.row()
    with Reading(qmgr.store.database) as reading:
        _, destination = name_resolution.destination(reading, manager, name, "")
    return [] if destination is None else [destination.queue]


def _preview(qmgr: QueueManagerState, queue: QueueRow, now: int) -> ExpiryPreview:
    if queue.earliest_expiry is None:
        return ExpiryPreview(queue.name, now, queue.depth, 0, 0, None, 0, queue.depth > 0, 0, 0, (), ())
    with Reading(qmgr.store.database) as reading:
        counts = statements.past_expiry(reading, queue.id, now)
        front = statements.in_front_of_first_live(reading, queue.id, now)
        coming = statements.next_expiries(reading, queue.id, now, NEXT_MOMENTS)
        by = statements.putters(reading, queue.id, now) if counts.expired else []
    return ExpiryPreview(
        queue.name,
        now,
        queue.depth,
        counts.expired,
        counts.length,
        counts.since,
        counts.scannable if front is None else front,
        front is not None,
        counts.scannable,
        counts.reporting,
        tuple((at, count) for at, count in coming),
        tuple((application, user, count) for application, user, count, _ in by),
    )
