"""The background work of `mqsc serve`: expiry scans, recovery of dead programs, return of free space, the index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event

from mqsc.counted import counted
from store.admin import health
from store.admin.event_index import EventIndex
from store.admin.expiry import SERVE, ExpiryScan, ScanTimer, scan, scanned_group, timer
from store.client.api import QueueManager, Store
from store.constants import MQRC
from store.environment import MICROSECONDS, elapsed_real_seconds
from store.error import MQError
from store.rules.health import size
from store.sqlite.locks import SingleInstanceLock, lock_beside

# How often the clock and the attributes are checked, unless a scan is due earlier; a signal ends the wait at once.
CHECK_SECONDS = 0.25
# How often the space that the store takes is looked at.
UPKEEP_SECONDS = 60.0
# How often to look for events that the index of the history does not have yet, and of which it had all before.
INDEX_SECONDS = 10.0
# How long to try to acquire the lock: a scanner of another member may be asking for an instant whether it is held.
ASKED_SECONDS = 0.2
Log = Callable[[str], None]


def lock_for(store: Store, name: str) -> SingleInstanceLock:
    """The lock that allows one `serve` per queue manager; it is released when its process ends."""
    path = str(store.path)
    return SingleInstanceLock(lock_beside(path, SERVE, name), Path(path))


def run_background_work(managers: Sequence[QueueManager], log: Log, stop: Event) -> None:
    """Run the background work of the queue managers until `stop` is set; log what it did and every change of state."""
    logged: dict[str, str] = {}
    upkeep_at = 0.0
    index = IndexService(managers[0].store) if managers else None
    while not stop.is_set():
        if managers and elapsed_real_seconds() >= upkeep_at:
            upkeep_at = elapsed_real_seconds() + UPKEEP_SECONDS
            _upkeep(managers[0].store, logged, log)
        if managers and managers[0].store.recover():
            log("backed out the work of dead programs and closed their handles")
        if index is not None:
            index.step()
        stop.wait(min((_check(qmgr, logged, log) for qmgr in managers), default=CHECK_SECONDS))


class IndexService:
    """Makes the index of the history little by little, so that `mqsc history` and `mqsc trace` find it there."""

    def __init__(self, store: Store) -> None:
        self._index = EventIndex(store)
        self._last: int | None = -1
        self._known = -1
        self._look_at = 0.0

    def step(self) -> None:
        """Make one entry, which takes some hundredths of a second, if there is one to make."""
        if self._last is None and elapsed_real_seconds() < self._look_at:
            return
        self._last = self._index.make_next(self._known)
        if self._last is None:
            self._look_at = elapsed_real_seconds() + INDEX_SECONDS
        else:
            self._known = self._last


def _upkeep(store: Store, logged: dict[str, str], log: Log) -> None:
    """Return free space, and log when a program keeps the log of the store from being shortened."""
    done = health.upkeep(store)
    if done.returned:
        log(f"returned {size(done.returned)} of free space to the file system")
    _log_change("the log", done.log, logged, log)


def _check(qmgr: QueueManager, logged: dict[str, str], log: Log) -> float:
    """Log a changed state, and scan when a scan is due; return after how many seconds to check again."""
    try:
        row = qmgr.row()
        running = row.state != "ENDED"
        due = timer(qmgr)
        _log_change(qmgr.name, _state(running, due, scanned_group(qmgr)), logged, log)
        if not running or due.due is None:
            return CHECK_SECONDS
        left = due.due - qmgr.now()
        if left <= 0:
            scans = scan(qmgr)
            if any(each.discarded for each in scans):
                log(f"{qmgr.name}: {_summary(scans)}")
        elif row.clock_at is None:
            return min(CHECK_SECONDS, left / MICROSECONDS)
    except MQError as fault:
        # It was deleted, or it ended during a scan; the next scan discards the rest.
        if fault.reason == MQRC.Q_MGR_NAME_ERROR:
            _log_change(qmgr.name, "deleted", logged, log)
        elif fault.reason != MQRC.Q_MGR_NOT_AVAILABLE:
            raise
    return CHECK_SECONDS


def _log_change(name: str, state: str, logged: dict[str, str], log: Log) -> None:
    if logged.get(name, "") != state:
        logged[name] = state
        log(f"{name}: {state}")


def _state(running: bool, due: ScanTimer, group: str) -> str:
    if not running:
        return "not running; expiry scans paused"
    if due.interval is None:
        return "EXPRYINT(OFF), no expiry scans"
    shared = f", shared queues of {group} too" if group else ""
    return f"EXPRYINT({due.interval}), an expiry scan every {due.interval} s{shared}"


def _summary(scans: Sequence[ExpiryScan]) -> str:
    discarded, reports = sum(each.discarded for each in scans), sum(each.reports for each in scans)
    names = ", ".join(f"{each.queue} {each.discarded}" for each in scans if each.discarded)
    visited = f"expiry scan visited {counted(len(scans), 'queue')}"
    return f"{visited}, discarded {counted(discarded, 'message')}, {counted(reports, 'report')} ({names})"
