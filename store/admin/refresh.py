"""REFRESH QMGR TYPE(EXPIRY): discard what is expired on the queues that match, now (expiry X11, A6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from store.engine import depth, dequeue
from store.engine.deliver import deliver
from store.engine.history import cause_of
from store.engine.state import QueueManagerState
from store.environment import pause_a_moment
from store.rules.generic_names import prefix_range
from store.sql import expiry, queues
from store.sql.rows import QueueRow
from store.sqlite.database import Reading, Transaction

# A transaction of this many takes a few milliseconds: other programs' puts do not notice.
BATCH = 500
PAGE = 200
# A scan that comes by itself is caused by nobody, whichever program makes it.
UNASKED = frozenset({"interval"})


class ExpiryScan(NamedTuple):
    """What a scan of one queue came to: messages looked at, discarded, and reports that were asked for."""

    queue: str
    examined: int
    discarded: int
    reports: int


def refresh_expiry(qmgr: QueueManagerState, pattern: str = "*", cause: str = "refresh") -> list[ExpiryScan]:
    """Scan every local queue whose name matches the generic `pattern`; a row for each, in order of name.

    Restartable: each batch is a transaction of its own, what a killed scan left goes next time.
    """
    with Transaction(qmgr.store.database, durable=False) as tx:
        qmgr.call_context(tx)
    return [scan_queue(qmgr, queue, cause) for queue in matching_queues(qmgr, pattern)]


def matching_queues(qmgr: QueueManagerState, pattern: str) -> Iterator[QueueRow]:
    """The local queues whose name matches a generic name, by name, read a page at a time."""
    low, high = prefix_range(pattern)
    after = ""
    while True:
        with Reading(qmgr.store.database) as reading:
            page = queues.local_page(reading, qmgr.name, low, high, after, PAGE)
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1].name


def scan_queue(qmgr: QueueManagerState, queue: QueueRow, cause: str, *, running: bool = True) -> ExpiryScan:
    """Discard what is expired on one queue, batch by batch."""
    discarded = reports = 0
    while True:
        with Transaction(qmgr.store.database, durable=False) as tx:
            call = qmgr.call_context(tx, running=running)
            if cause in UNASKED:
                call = call._replace(application="", user="")
            there = queues.by_id(tx, queue.id, qmgr.name)
            if there is None or there.earliest_expiry is None or there.earliest_expiry > call.now:
                break
            silent = expiry.discard_silently(tx, cause_of(call, there.name), cause, there.id, BATCH)
            effects = depth.removed(tx, call, there.id, silent) if silent else []
            asking = expiry.asking_for_report(tx, there.id, call.now, BATCH) if silent < BATCH else []
            if asking:
                effects += dequeue.expire(tx, call, there, asking, cause)
            deliver(tx, call, effects)
            discarded += silent + len(asking)
            reports += len(asking)
            if silent < BATCH and len(asking) < BATCH:
                expiry.remember_next(tx, there.id)
                break
        # Whoever waits to write gets in between two batches.
        pause_a_moment()
    return ExpiryScan(queue.name, queue.depth, discarded, reports)
