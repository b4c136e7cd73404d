"""`mqsc serve` between its start and a signal: scans when they are due, logs every change, and
stops at once.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from threading import Event, Thread

import pytest

from mqsc import run
from mqsc.agents.background_work import run_background_work
from mqsc.agents.dead_letter_output import DeadLetterOutput
from mqsc.agents.stopping import StopRequested, stoppable, stopped_at_once, until_signalled
from mqsc.store import Message, MessageDescriptor, MQError
from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.admin.peeking import peek
from mqsc.store.admin.queue_managers import delete_queue_manager
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQFB, MQGMO, MQOO, MQRC
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.headers import mqdlh
from mqsc.store.message import GetMessageOptions
from tests.conftest import START
from tests.rows import rows

OFF = "EXPRYINT(OFF), no expiry scans"
EVERY_5 = "EXPRYINT(5), an expiry scan every 5 s"
ONE = "expiry scan visited 1 queue, discarded 1 message, 0 reports (Q 1)"


class Steps(Event):
    """A stop event whose wait() performs the next step instead of waiting; it is set after the
    last step.
    """

    def __init__(self, steps: Iterable[Callable[[], object]]) -> None:
        super().__init__()
        self._steps = iter(steps)
        self.waits: list[float | None] = []

    def wait(self, timeout: float | None = None) -> bool:
        """Perform the next step."""
        self.waits.append(timeout)
        step = next(self._steps, self.set)
        step()
        return self.is_set()


class Serving:
    """A queue manager that is served, on a clock that steps advance."""

    def __init__(self, qmgr: QueueManager, clock: FrozenClock) -> None:
        self.qmgr, self.clock = qmgr, clock

    def after(self, seconds: float) -> Callable[[], object]:
        return lambda: self.clock.advance(seconds=seconds)

    def every(self, interval: int | str) -> Callable[[], object]:
        return lambda: run(self.qmgr, f"ALTER QMGR EXPRYINT({interval})")

    def put(self, number: int = 1, expiry: int = 1) -> None:
        """Put messages with an expiry on Q, which is created if necessary."""
        run(self.qmgr, "DEFINE QLOCAL(Q) REPLACE")
        with self.qmgr.connect() as connection:
            connection.open("Q", MQOO.OUTPUT).put(
                [Message(b"", MessageDescriptor(expiry=expiry))] * number,
            )

    def log(self, *steps: Callable[[], object]) -> list[str]:
        """Return the lines logged during the steps, without the queue manager's name."""
        lines: list[str] = []
        run_background_work([self.qmgr], lines.append, Steps(steps))
        return [line.removeprefix(f"{self.qmgr.name}: ") for line in lines]


@pytest.fixture
def serving(qmgr: QueueManager, environment: Environment[FrozenClock]) -> Serving:
    """QM1, which scans every 5 seconds."""
    made = Serving(qmgr, environment.clock)
    made.every(5)()
    return made


def test_the_interval_is_switched_on_changed_and_switched_off(serving: Serving) -> None:
    after, every = serving.after, serving.every
    every("OFF")()
    serving.put(3)
    assert serving.log(
        *(after(60), every(5), lambda: serving.put(2), after(4.9), after(0.1)),
        *(every(60), after(59.9), every("OFF"), after(600)),
    ) == [
        *(OFF, EVERY_5, ONE.replace("1 message", "3 messages").replace("Q 1", "Q 3")),
        ONE.replace("1 message", "2 messages").replace("Q 1", "Q 2"),
        *("EXPRYINT(60), an expiry scan every 60 s", OFF),
    ]


def test_a_scan_that_discards_nothing_is_not_logged(serving: Serving) -> None:
    serving.put(expiry=300)
    assert serving.log(*[serving.after(5)] * 7) == [EVERY_5, ONE]


def test_a_clock_set_back_puts_no_scan_off(serving: Serving) -> None:
    def set_back() -> None:
        serving.clock.set(START - 86_400_000_000)
        serving.put()
        serving.clock.advance(seconds=0.1)

    serving.put(expiry=10)
    steps = (serving.after(5), set_back, serving.after(4.9), serving.put, serving.after(0.1))
    assert serving.log(*steps) == [EVERY_5, ONE, ONE, ONE]


def test_scans_keep_their_beat(serving: Serving) -> None:
    """A late or long scan does not delay the next one, and missed scans are not made up for."""
    scans: list[float] = []

    def log(line: str) -> None:
        if "scan visited" in line:
            scans.append((serving.clock.now() - START) / 1_000_000)
            serving.clock.advance(seconds=0.75)
            serving.put()

    serving.put()
    run_background_work([serving.qmgr], log, Steps([serving.after(0.25)] * 60))
    assert scans == [5.0, 10.0, 15.0]
    run_background_work(
        [serving.qmgr],
        log,
        Steps([serving.after(12), *[serving.after(0.25)] * 20]),
    )
    assert scans[3:] == [29.25, 30.25, 35.0]


def test_the_wait_ends_when_a_scan_is_due(serving: Serving) -> None:
    steps = Steps(map(serving.after, (4.9, 0.1)))
    run_background_work([serving.qmgr], lambda line: None, steps)
    assert steps.waits == [0.25, 0.1, 0.25]


def test_the_first_interval_after_a_start_runs_from_the_start(serving: Serving) -> None:
    after, qmgr = serving.after, serving.qmgr
    serving.put(expiry=10)
    steps = (after(5), qmgr.end, after(60), qmgr.start, serving.put, after(4.9), after(0.1))
    assert serving.log(*steps) == [EVERY_5, ONE, "not running; expiry scans paused", EVERY_5, ONE]


def test_a_queue_manager_that_ends_or_is_deleted_when_a_scan_is_due_ends_nothing_else(
    serving: Serving,
) -> None:
    """EXPRYINT(5) is logged just before the scan, and the queue manager ends at that moment."""
    qmgr = serving.qmgr
    serving.put(expiry=10)
    serving.clock.advance(seconds=5)
    lines: list[str] = []

    def log(line: str) -> None:
        lines.append(line)
        if EVERY_5 in line and len(lines) == 1:
            qmgr.end(immediate=True)

    delete = lambda: delete_queue_manager(qmgr.store, "QM1")  # noqa: E731
    run_background_work([qmgr], log, Steps([qmgr.start, qmgr.end, delete, lambda: None]))
    assert lines == [f"QM1: {EVERY_5}", "QM1: not running; expiry scans paused", "QM1: deleted"]


def test_the_log_says_for_which_member_shared_queues_are_scanned(
    store: Store,
    environment: Environment[FrozenClock],
) -> None:
    """(S43, S45) QM1 is served alone, so it takes over from QM2 when it scans, and gives the
    queues up.
    """
    first, second = (store.create_queue_manager(name, group="QSG1") for name in ("QM1", "QM2"))
    run(first, "DEFINE CFSTRUCT(A)\nDEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(A)", check=True)
    for member in (second, first):
        run(member, "ALTER QMGR EXPRYINT(5)", check=True)
    with second.connect() as connection:
        connection.put1("SQ", Message(b"", MessageDescriptor(expiry=10)))
    serving = Serving(first, environment.clock)
    scanned = [ONE.replace("Q 1", "SQ 1"), f"{EVERY_5}, shared queues of QSG1 too"]
    assert serving.log(serving.after(5), lambda: None, serving.every("OFF")) == [
        EVERY_5,
        *scanned,
        OFF,
    ]


@pytest.fixture
def queues(qmgr: QueueManager) -> QueueManager:
    """A queue manager with the queues INIT and DLQ, but no DEADQ yet."""
    for name in ("INIT", "DLQ"):
        create(qmgr, KINDS["QLOCAL"], name, {})
    create(qmgr, KINDS["QMODEL"], "M", {})
    return qmgr


@pytest.mark.parametrize("syncpoint", [False, True])
def test_a_message_gets_a_header_with_reason_and_queue(
    queues: QueueManager,
    syncpoint: bool,
) -> None:
    change_queue_manager(queues, {"DEADQ": "DLQ"})
    with queues.connect("runmqtrm") as connection:
        connection.put1("INIT", Message(b"junk"))
        output = DeadLetterOutput(connection)
        assert (output.is_open, output.queue) == (True, "DLQ")
        source = connection.open("INIT", MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT)
        message = source.get(
            GetMessageOptions(MQGMO.SYNCPOINT if syncpoint else MQGMO.NO_SYNCPOINT),
        )
        output.put(message, MQFB.TM_ERROR, source, syncpoint=syncpoint)
        connection.back()
    found = [(each.body[mqdlh.MQDLH_LENGTH :], each.descriptor) for each in peek(queues, "DLQ")]
    told = [(body, descriptor.format, descriptor.put_appl_name) for body, descriptor in found]
    assert told == ([] if syncpoint else [(b"junk", "MQDEAD", "runmqtrm")])


@rows(("", MQRC.UNKNOWN_OBJECT_NAME), ("NOQ", MQRC.UNKNOWN_OBJECT_NAME), ("M", MQRC.Q_TYPE_ERROR))
def test_without_a_dead_letter_queue_a_put_raises_the_reason(
    queues: QueueManager,
    name: str,
    reason: MQRC,
) -> None:
    change_queue_manager(queues, {"DEADQ": name})
    with queues.connect() as connection:
        connection.put1("INIT", Message(b"junk"))
        output = DeadLetterOutput(connection)
        source = connection.open("INIT", MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT)
        assert not output.is_open
        with pytest.raises(MQError, match=f"^{int(reason)}"):
            output.put(source.get(), MQFB.TM_ERROR, source, syncpoint=False)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_sets_the_event_and_handlers_come_back(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with until_signalled() as stop:
        assert not stop.is_set()
        os.kill(os.getpid(), number)
        assert stop.wait(10)
    assert signal.getsignal(number) is before


def test_time_is_that_of_the_clock_behind_and_a_pause_ends_by_stopped() -> None:
    frozen, stop = Environment.frozen(at=START), Event()
    world = stoppable(frozen, stop)
    assert (world.clock.now(), world.clock.frozen, world.user) == (START, True, "tester")
    frozen.clock.advance(seconds=1)
    assert world.clock.now() == START + 1_000_000
    world.clock.pause(0.001)
    stop.set()
    with pytest.raises(StopRequested):
        world.clock.pause(60)


def test_a_waiting_get_stops_and_its_connection_lives() -> None:
    stop = Event()
    environment = stoppable(Environment.frozen(at=START), stop)
    with (
        open_store("sqlite://", environment=environment) as store,
        store.create_queue_manager("QM1").connect() as us,
    ):
        queue = us.open("SYSTEM.DEFAULT.LOCAL.QUEUE", MQOO.INPUT_SHARED)
        stop.set()
        with pytest.raises(StopRequested):
            queue.get(GetMessageOptions(MQGMO.WAIT, wait_interval=-1))
        us.commit()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_whoever_reads_is_stopped_at_once(number: signal.Signals) -> None:
    with until_signalled() as stop:
        waits = signal.getsignal(number)
        with pytest.raises(StopRequested), stopped_at_once(stop):
            signal.raise_signal(number)
        assert stop.is_set()
        assert signal.getsignal(number) is waits


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_read_is_not_begun_when_a_signal_has_come(number: signal.Signals) -> None:
    """Whether the signal comes before the wait or during it."""
    reading, writing = os.pipe()
    with open(reading, "rb") as stream, open(writing, "wb"):

        def wait() -> None:
            with stopped_at_once(Event()) as until_readable:
                Thread(target=os.kill, args=(os.getpid(), number)).start()
                until_readable(stream)

        with pytest.raises(StopRequested):
            wait()
    assert signal.set_wakeup_fd(-1) == -1


def test_whoever_was_stopped_before_begins_no_read() -> None:
    stop = Event()
    stop.set()
    with pytest.raises(StopRequested), stopped_at_once(stop):
        pytest.fail("nothing is begun")
