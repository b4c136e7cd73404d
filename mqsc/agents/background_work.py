"""The background work of `mqsc serve`: expiry scans, the index of the history, and the space that
the store takes on the disk.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event

from mqsc.console.text.reasons import counted
from mqsc.store.admin import event_search, expiry, health
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQRC
from mqsc.store.environment import MICROSECONDS, elapsed_real_seconds
from mqsc.store.error import MQError
from mqsc.store.past.kept_data import remove_outdated
from mqsc.store.rules.health import size
from mqsc.store.sqlite.locks import SingleInstanceLock, lock_beside

# How often the clock and the attributes are checked, unless a scan is due earlier; a signal ends
# the wait at once.
CHECK_SECONDS = 0.25
# How often the space that the store takes is checked.
UPKEEP_SECONDS = 60.0
# How often a complete index of the history is compared with it, to find new events.
INDEX_SECONDS = 10.0
# How long to try to acquire the lock: a scanner of another member may hold it for an instant, to see
# whether it is free.
ASKED_SECONDS = 0.2
Log = Callable[[str], None]


def lock_for(store: Store, name: str) -> SingleInstanceLock:
    """The lock that allows one `serve` per queue manager; it is released when its process ends."""
    path = str(store.path)
    return SingleInstanceLock(lock_beside(path, expiry.SERVE, name), Path(path))


def run_background_work(managers: Sequence[QueueManager], log: Log, stop: Event) -> None:
    """Run the background work of the queue managers until `stop` is set; log what it did and
    every change of state.
    """
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
    """Makes the index of the history little by little, so that `mqsc history` and `mqsc trace`
    find it there.
    """

    def __init__(self, store: Store) -> None:
        self._index = event_search.EventIndex(store)
        self._known = -1
        self._look_at = 0.0

    def step(self) -> None:
        """Make one entry, which takes some hundredths of a second, if there is one to make."""
        if elapsed_real_seconds() < self._look_at:
            return
        next_known = self._index.make_next(self._known)
        if next_known is None:
            self._look_at = elapsed_real_seconds() + INDEX_SECONDS
        else:
            self._known = next_known


def _upkeep(store: Store, logged: dict[str, str], log: Log) -> None:
    """Remove outdated data that was kept, return free space, and log when a program keeps the log
    of the store from being shortened.
    """
    remove_outdated(store)
    upkeep = health.upkeep(store)
    if upkeep.returned:
        log(f"returned {size(upkeep.returned)} of free space to the file system")
    _log_change("the log", upkeep.log, logged, log)


def _check(qmgr: QueueManager, logged: dict[str, str], log: Log) -> float:
    """Log a changed state, and scan when a scan is due; the seconds until the next check."""
    try:
        row = qmgr.row()
        running = row.state != "ENDED"
        timer = expiry.timer(qmgr)
        _log_change(qmgr.name, _state(running, timer, expiry.scanned_group(qmgr)), logged, log)
        if not running or timer.due is None:
            return CHECK_SECONDS
        left = timer.due - qmgr.now()
        if left <= 0:
            scans = expiry.scan(qmgr)
            if any(scan.discarded for scan in scans):
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


def _state(running: bool, timer: expiry.ScanTimer, group: str) -> str:
    if not running:
        return "not running; expiry scans paused"
    if timer.interval is None:
        return "EXPRYINT(OFF), no expiry scans"
    shared = f", shared queues of {group} too" if group else ""
    return f"EXPRYINT({timer.interval}), an expiry scan every {timer.interval} s{shared}"


def _summary(scans: Sequence[expiry.ExpiryScan]) -> str:
    discarded, reports = sum(scan.discarded for scan in scans), sum(scan.reports for scan in scans)
    names = ", ".join(f"{scan.queue} {scan.discarded}" for scan in scans if scan.discarded)
    visited = f"expiry scan visited {counted(len(scans), 'queue')}"
    return (
        f"{visited}, discarded {counted(discarded, 'message')}, {counted(reports, 'report')} "
        f"({names})"
    )
