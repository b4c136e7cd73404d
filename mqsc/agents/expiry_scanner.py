"""`mqsc serve` at work: expiry scans of queue managers every EXPRYINT seconds, and recovery of dead programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event

from store.admin.expiry import ExpiryScan, ScanTimer, scan, timer
from store.client.api import QueueManager, Store
from store.constants import MQRC
from store.error import MQError
from store.sqlite.locks import SingleInstanceLock, lock_beside

# Between two looks at the clock and the attributes; a signal ends the wait at once.
LOOK_SECONDS = 0.25
Log = Callable[[str], None]


def lock_for(store: Store, name: str) -> SingleInstanceLock:
    """The lock that makes one `serve` per queue manager; it dies with its process."""
    path = str(store.path)
    return SingleInstanceLock(lock_beside(path, "serve", name), Path(path))


def serve(managers: Sequence[QueueManager], log: Log, stop: Event) -> None:
    """Keep queue managers at work until `stop` is set: a line in the log for whatever is done or changes."""
    known: dict[str, str] = {}
    while not stop.is_set():
        if managers and managers[0].store.recover():
            log("programs that died were backed out and their handles closed")
        for qmgr in managers:
            _attend(qmgr, known, log)
        stop.wait(LOOK_SECONDS)


def _attend(qmgr: QueueManager, known: dict[str, str], log: Log) -> None:
    """Tell what changed since the last look, and scan when a scan is due."""
    try:
        running = qmgr.row().state != "ENDED"
        due = timer(qmgr)
        _tell(qmgr.name, _condition(running, due), known, log)
        if running and due.due is not None and qmgr.now() >= due.due:
            log(f"{qmgr.name}: {_summary(scan(qmgr))}")
    except MQError as fault:
        # It was deleted, or ended in the middle of a scan; what the scan left goes next time.
        if fault.reason == MQRC.Q_MGR_NAME_ERROR:
            _tell(qmgr.name, "is gone", known, log)
        elif fault.reason != MQRC.Q_MGR_NOT_AVAILABLE:
            raise


def _tell(name: str, condition: str, known: dict[str, str], log: Log) -> None:
    if known.get(name) != condition:
        known[name] = condition
        log(f"{name}: {condition}")


def _condition(running: bool, due: ScanTimer) -> str:
    if not running:
        return "has ended; nothing is scanned"
    if due.interval is None:
        return "EXPRYINT(OFF), no expiry scans"
    return f"EXPRYINT({due.interval}), an expiry scan every {due.interval} s"


def _summary(scans: Sequence[ExpiryScan]) -> str:
    discarded, reports = sum(each.discarded for each in scans), sum(each.reports for each in scans)
    names = ", ".join(f"{each.queue} {each.discarded}" for each in scans if each.discarded)
    visited = f"expiry scan visited {_counted(len(scans), 'queue')}"
    said = f"{visited}, discarded {_counted(discarded, 'message')}, {_counted(reports, 'report')}"
    return f"{said} ({names})" if names else said


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
