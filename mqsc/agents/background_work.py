"""The work of `mqsc serve`: expiry scans, the index, the command server, and the monitor's
dead-letter queue.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event

from mqsc.channels.driver import StoreWait, StoreWatch
from mqsc.console.text.reasons import counted
from mqsc.store.admin import command_queue, event_search, expiry, health
from mqsc.store.client.command_server import answer_commands
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQAT, MQCA, MQOO, MQOT, MQPMO, MQRC
from mqsc.store.environment import MICROSECONDS, elapsed_real_seconds
from mqsc.store.error import MQError, StoreError
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.past.kept_data import remove_outdated
from mqsc.store.rules.dead_letter import DeadLetterPut, DeliveryFailure, dead_letter
from mqsc.store.rules.health import size
from mqsc.store.sqlite.locks import SingleInstanceLock, lock_beside

# How often the clock and the attributes are checked, unless a scan is due earlier; a signal ends
# the wait at once.
CHECK_SECONDS = 0.25
# How often the space that the store takes is looked at.
UPKEEP_SECONDS = 60.0
# How often to look for events that the index of the history does not have yet, and of which it had
# all before.
INDEX_SECONDS = 10.0
# How long to try to acquire the lock: a scanner of another member may be asking for an instant
# whether it is held.
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
    """Return free space, and log when a program keeps the log of the store from being shortened."""
    remove_outdated(store)
    done = health.upkeep(store)
    if done.returned:
        log(f"returned {size(done.returned)} of free space to the file system")
    _log_change("the log", done.log, logged, log)


def _check(qmgr: QueueManager, logged: dict[str, str], log: Log) -> float:
    """Log a changed state, and scan when a scan is due; return after how many seconds to check
    again.
    """
    try:
        row = qmgr.row()
        running = row.state != "ENDED"
        due = expiry.timer(qmgr)
        _log_change(qmgr.name, _state(running, due, expiry.scanned_group(qmgr)), logged, log)
        if not running or due.due is None:
            return CHECK_SECONDS
        left = due.due - qmgr.now()
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


def _state(running: bool, due: expiry.ScanTimer, group: str) -> str:
    if not running:
        return "not running; expiry scans paused"
    if due.interval is None:
        return "EXPRYINT(OFF), no expiry scans"
    shared = f", shared queues of {group} too" if group else ""
    return f"EXPRYINT({due.interval}), an expiry scan every {due.interval} s{shared}"


def _summary(scans: Sequence[expiry.ExpiryScan]) -> str:
    discarded, reports = sum(scan.discarded for scan in scans), sum(scan.reports for scan in scans)
    names = ", ".join(f"{scan.queue} {scan.discarded}" for scan in scans if scan.discarded)
    visited = f"expiry scan visited {counted(len(scans), 'queue')}"
    return (
        f"{visited}, discarded {counted(discarded, 'message')}, {counted(reports, 'report')} "
        f"({names})"
    )


# The command server in `mqsc serve`: performs the commands of programs that ended before they
# could.

# For safety: when the work of a killed program is backed out, the store changes, and the wait ends
# anyway.
LOOK_SECONDS = 10.0


def run_command_server(
    qmgr: QueueManager,
    report: Callable[[str], None],
    stop: Event,
    watch: StoreWatch,
) -> None:
    """Perform commands whenever the store has changed, until `stop` is set."""
    while not stop.is_set():
        try:
            seen = qmgr.store.database.data_version()
            if command_queue.has_commands(qmgr):
                answer_commands(qmgr)
            watch.wait(StoreWait([(qmgr.store, seen)], stop, LOOK_SECONDS))
        except MQError:
            stop.wait(LOOK_SECONDS)
        except StoreError as error:
            report(f"{qmgr.name}: the command server ends: {error}")
            return


# The dead-letter queue of a trigger monitor: kept open, for trigger messages that start no program.


class DeadLetterOutput:
    """The queue manager's dead-letter queue, open for output; `fault` is the error when it is
    not.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._handle: ObjectHandle | None = None
        self.queue = dead_letter_queue(connection)
        self.fault = MQError(MQRC.UNKNOWN_OBJECT_NAME, "no DEADQ")
        if self.queue:
            try:
                options = MQOO.OUTPUT | MQOO.PASS_ALL_CONTEXT | MQOO.FAIL_IF_QUIESCING
                self._handle = connection.open(self.queue, options, dynamic_name=None)
            except MQError as fault:
                self.fault = fault

    @property
    def is_open(self) -> bool:
        """Whether a dead-letter queue is defined and could be opened."""
        return self._handle is not None

    def put(self, message: Message, reason: int, source: ObjectHandle, *, syncpoint: bool) -> None:
        """Put the message just got through `source`, behind an MQDLH with `reason` (an MQFB) and
        that queue.

        The message context is passed on. Raises MQError when the put fails.
        """
        if self._handle is None:
            raise self.fault
        qmgr = self._connection.qmgr
        failure = DeliveryFailure(reason, source.name, qmgr.name)
        put = DeadLetterPut(MQAT.UNIX, self._connection.application, qmgr.now(), qmgr.row().ccsid)
        descriptor, body = dead_letter(message.descriptor, message.body, failure, put)
        # No FAIL_IF_QUIESCING: the message has already left its queue.
        options = MQPMO.PASS_ALL_CONTEXT | (MQPMO.SYNCPOINT if syncpoint else MQPMO.NO_SYNCPOINT)
        self._handle.put(Message(body, descriptor), PutMessageOptions(options, context=source))


def dead_letter_queue(connection: Connection) -> str:
    """The DEADQ attribute of the queue manager, blank when there is none."""
    handle = connection.open("", MQOO.INQUIRE, object_type=MQOT.Q_MGR)
    name = handle.inquire(MQCA.DEAD_LETTER_Q_NAME)[MQCA.DEAD_LETTER_Q_NAME]
    handle.close()
    return str(name)
