"""The expiry scan that a queue manager makes every EXPRYINT seconds (expiry A6)."""

from __future__ import annotations

from typing import NamedTuple

from store.admin.refresh import ExpiryScan, scan_queue
from store.engine.state import QueueManagerState
from store.environment import MICROSECONDS
from store.sql import queue_managers, queues
from store.sqlite.database import Reading, Transaction


class ScanTimer(NamedTuple):
    """EXPRYINT in seconds (None: OFF) and when the next scan is due, microseconds on the queue manager's clock."""

    interval: int | None
    due: int | None


def timer(qmgr: QueueManagerState) -> ScanTimer:
    """When the next scan is due: EXPRYINT after the last one, or after the start where there was none since.

    Neither counts while it lies ahead: a clock that was set back puts no scan off until it has caught up.
    """
    row = qmgr.row()
    if row.expiry_interval is None:
        return ScanTimer(None, None)
    now = qmgr.now()
    since = max((at for at in (row.started_at, row.last_expiry_scan) if at is not None and at <= now), default=None)
    return ScanTimer(row.expiry_interval, now if since is None else since + row.expiry_interval * MICROSECONDS)


def scan(qmgr: QueueManagerState) -> list[ExpiryScan]:
    """Scan the queues known to hold messages past their expiry, and only those; a row for each (E24).

    The next interval runs from here. Costs one look at an index when nothing has expired.
    """
    now = qmgr.now()
    with Reading(qmgr.store.database) as reading:
        found = [queues.by_id(reading, number, qmgr.name) for number, _ in queues.expiring(reading, qmgr.name, now)]
    scans = [scan_queue(qmgr, queue, "interval") for queue in found if queue is not None]
    with Transaction(qmgr.store.database, durable=False) as tx:
        queue_managers.set_columns(tx, qmgr.name, {"last_expiry_scan": now})
    return scans
