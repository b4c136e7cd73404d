"""`mqsc serve` between its start and a signal: it scans when scans are due, and logs every change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Event

from mqsc import run
from mqsc.agents.background_work import run_background_work
from store import Message, MessageDescriptor
from store.admin.queue_managers import delete_queue_manager
from store.client.api import QueueManager, Store
from store.constants import MQOO
from store.environment import Environment, FrozenClock
from tests.conftest import START

OFF = "EXPRYINT(OFF), no expiry scans"
EVERY_5 = "EXPRYINT(5), an expiry scan every 5 s"
ONE = "expiry scan visited 1 queue, discarded 1 message, 0 reports (Q 1)"


class Steps(Event):
    """A stop event whose wait() performs the next step instead of waiting; it is set after the last step."""

    def __init__(self, steps: Iterable[Callable[[], object]]) -> None:
        super().__init__()
        self._steps = iter(steps)

    def wait(self, timeout: float | None = None) -> bool:
        """Perform the next step."""
        step = next(self._steps, self.set)
        step()
        return self.is_set()


def put(qmgr: QueueManager, number: int, expiry: int = 10, queue: str = "Q") -> None:
    """Put messages with an expiry on a queue, which is created if necessary."""
    run(qmgr, f"DEFINE QLOCAL({queue}) REPLACE")
    with qmgr.connect() as connection:
        connection.open(queue, MQOO.OUTPUT).put([Message(b"", MessageDescriptor(expiry=expiry))] * number)


def served(qmgr: QueueManager, *steps: Callable[[], object]) -> list[str]:
    """Return the lines logged during the steps, without the queue manager's name."""
    lines: list[str] = []
    run_background_work([qmgr], lines.append, Steps(steps))
    return [line.removeprefix(f"{qmgr.name}: ") for line in lines]


def test_the_interval_is_switched_on_changed_and_switched_off(
    qmgr: QueueManager, environment: Environment[FrozenClock]
) -> None:
    clock = environment.clock
    put(qmgr, 3)
    assert served(
        qmgr,
        lambda: clock.advance(seconds=60),
        lambda: run(qmgr, "ALTER QMGR EXPRYINT(5)"),
        lambda: put(qmgr, 2),
        lambda: clock.advance(seconds=4.9),
        lambda: clock.advance(seconds=0.1),
        lambda: run(qmgr, "ALTER QMGR EXPRYINT(60)"),
        lambda: clock.advance(seconds=59.9),
        lambda: run(qmgr, "ALTER QMGR EXPRYINT(OFF)"),
        lambda: clock.advance(seconds=600),
    ) == [
        OFF,
        EVERY_5,
        "expiry scan visited 1 queue, discarded 3 messages, 0 reports (Q 3)",
        "expiry scan visited 1 queue, discarded 2 messages, 0 reports (Q 2)",
        "EXPRYINT(60), an expiry scan every 60 s",
        OFF,
    ]


def test_a_scan_that_discards_nothing_is_not_logged(qmgr: QueueManager, environment: Environment[FrozenClock]) -> None:
    clock = environment.clock
    run(qmgr, "ALTER QMGR EXPRYINT(1)")
    put(qmgr, 1, expiry=30)
    assert served(qmgr, *[lambda: clock.advance(seconds=1)] * 5) == ["EXPRYINT(1), an expiry scan every 1 s", ONE]


def test_a_clock_set_back_puts_no_scan_off(qmgr: QueueManager, environment: Environment[FrozenClock]) -> None:
    clock = environment.clock
    run(qmgr, "ALTER QMGR EXPRYINT(5)")
    put(qmgr, 1)

    def set_back() -> None:
        clock.set(START - 86_400_000_000)
        put(qmgr, 1, expiry=1)
        clock.advance(seconds=0.1)

    assert served(
        qmgr,
        lambda: clock.advance(seconds=5),
        set_back,
        lambda: clock.advance(seconds=4.9),
        lambda: put(qmgr, 1, expiry=1),
        lambda: clock.advance(seconds=0.1),
    ) == [EVERY_5, ONE, ONE, ONE]


def test_scans_keep_their_beat(qmgr: QueueManager, environment: Environment[FrozenClock]) -> None:
    """A late or long scan does not delay the next one, and missed scans are not made up for."""
    clock = environment.clock
    run(qmgr, "ALTER QMGR EXPRYINT(5)")
    scans: list[float] = []

    def log(line: str) -> None:
        if "scan visited" in line:
            scans.append((clock.now() - START) / 1_000_000)
            clock.advance(seconds=0.75)
            put(qmgr, 1, expiry=1)

    put(qmgr, 1, expiry=1)
    run_background_work([qmgr], log, Steps([lambda: clock.advance(seconds=0.25)] * 60))
    assert scans == [5.0, 10.0, 15.0]
    scans.clear()
    run_background_work(
        [qmgr], log, Steps([lambda: clock.advance(seconds=12), *[lambda: clock.advance(seconds=0.25)] * 20])
    )
    assert scans == [29.25, 30.25, 35.0]


def test_the_wait_ends_when_a_scan_is_due(qmgr: QueueManager, environment: Environment[FrozenClock]) -> None:
    clock = environment.clock
    run(qmgr, "ALTER QMGR EXPRYINT(5)")
    waits: list[float | None] = []

    class Waits(Steps):
        def wait(self, timeout: float | None = None) -> bool:
            waits.append(timeout)
            return super().wait(timeout)

    run_background_work(
        [qmgr], lambda line: None, Waits([lambda: clock.advance(seconds=4.9), lambda: clock.advance(seconds=0.1)])
    )
    assert waits == [0.25, 0.1, 0.25]


def test_the_first_interval_after_a_start_runs_from_the_start(
    qmgr: QueueManager, environment: Environment[FrozenClock]
) -> None:
    clock = environment.clock
    run(qmgr, "ALTER QMGR EXPRYINT(5)")
    put(qmgr, 1)
    assert served(
        qmgr,
        lambda: clock.advance(seconds=5),
        qmgr.end,
        lambda: clock.advance(seconds=60),
        qmgr.start,
        lambda: put(qmgr, 1, expiry=1),
        lambda: clock.advance(seconds=4.9),
        lambda: clock.advance(seconds=0.1),
    ) == [EVERY_5, ONE, "not running; expiry scans paused", EVERY_5, ONE]


def test_a_queue_manager_that_ends_or_is_deleted_when_a_scan_is_due_ends_nothing_else(
    qmgr: QueueManager, environment: Environment[FrozenClock]
) -> None:
    """EXPRYINT(5) is logged just before the scan, and the queue manager ends at that moment."""
    run(qmgr, "ALTER QMGR EXPRYINT(5)")
    put(qmgr, 1)
    environment.clock.advance(seconds=5)
    lines: list[str] = []

    def log(line: str) -> None:
        lines.append(line)
        if EVERY_5 in line and len(lines) == 1:
            qmgr.end(immediate=True)

    run_background_work(
        [qmgr], log, Steps([qmgr.start, qmgr.end, lambda: delete_queue_manager(qmgr.store, "QM1"), lambda: None])
    )
    assert lines == [f"QM1: {EVERY_5}", "QM1: not running; expiry scans paused", "QM1: deleted"]


def test_the_log_says_for_which_member_shared_queues_are_scanned(
    store: Store, environment: Environment[FrozenClock]
) -> None:
    """(S43, S45) QM1 is served alone, so it takes over from QM2 when it scans, and gives the queues up."""
    first, second = (store.create_queue_manager(name, group="QSG1") for name in ("QM1", "QM2"))
    run(first, "DEFINE CFSTRUCT(A)\nDEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(A)", check=True)
    for member in (second, first):
        run(member, "ALTER QMGR EXPRYINT(5)", check=True)
    with second.connect() as connection:
        connection.put1("SQ", Message(b"", MessageDescriptor(expiry=10)))
    assert served(
        first,
        lambda: environment.clock.advance(seconds=5),
        lambda: None,
        lambda: run(first, "ALTER QMGR EXPRYINT(OFF)"),
    ) == [
        EVERY_5,
        "expiry scan visited 1 queue, discarded 1 message, 0 reports (SQ 1)",
        f"{EVERY_5}, shared queues of QSG1 too",
        OFF,
    ]
