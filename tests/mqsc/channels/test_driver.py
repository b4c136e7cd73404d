"""A run of a channel resumes when a store changes, at a deadline and at a stop; threads that
wait share one watch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread, Timer

import pytest

from mqsc.channels.driver import drive
from mqsc.channels.steps import Ending, Run, Wait
from mqsc.channels.store_watch import StoreWait, StoreWatch
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQCHS
from mqsc.store.environment import MICROSECONDS
from mqsc.store.error import StoreError

ENDING = Ending(MQCHS.INACTIVE, "", failed=False)
SOON = 0.1


@pytest.fixture
def qmgr(tmp_path: Path) -> QueueManager:
    return open_store(f"sqlite:///{tmp_path / 'test.db'}").create_queue_manager("QM1")


def waiting(qmgr: QueueManager, is_over: Callable[[], bool], until: int | None = None) -> Run:
    """A run that waits until `is_over` returns true."""
    while not is_over():
        yield Wait(qmgr, until, (qmgr.store,))
    return ENDING


@pytest.mark.parametrize("by_a_stop", [False, True])
def test_a_change_of_the_store_and_a_stop(qmgr: QueueManager, by_a_stop: bool) -> None:
    def put() -> None:
        with qmgr.connect("app"):
            changed.set()

    changed, stop = Event(), Event()
    Timer(SOON, stop.set if by_a_stop else put).start()
    is_over = stop.is_set if by_a_stop else changed.is_set
    assert drive(waiting(qmgr, is_over), qmgr.store, stop) is ENDING


def test_a_deadline(qmgr: QueueManager) -> None:
    until = qmgr.now() + round(SOON * MICROSECONDS)
    assert drive(waiting(qmgr, lambda: qmgr.now() >= until, until), qmgr.store, Event()) is ENDING


def test_a_deadline_of_a_manual_clock(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'manual.db'}")
    manual = store.create_queue_manager("QM1", manual_clock_at=0)
    Timer(SOON, lambda: manual.advance_clock(10 * MICROSECONDS)).start()
    run = waiting(manual, lambda: manual.now() >= 10 * MICROSECONDS, 10 * MICROSECONDS)
    assert drive(run, store, Event()) is ENDING


def test_a_run_that_completes_a_batch_after_a_stop_is_not_resumed_all_the_time(
    qmgr: QueueManager,
) -> None:
    stop, resumed = Event(), [0]
    stop.set()
    until = qmgr.now() + round(SOON * MICROSECONDS)

    def is_over() -> bool:
        resumed[0] += 1
        return qmgr.now() >= until

    assert drive(waiting(qmgr, is_over, until), qmgr.store, stop) is ENDING
    assert resumed[0] < 5


LONG = 60.0


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'one.db'}") as store:
        store.create_queue_manager("QM1")
        yield store


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'other.db'}") as store:
        yield store


def wait_for(
    store: Store,
    stop: Event | None = None,
    seconds: float | None = LONG,
    rarely: Store | None = None,
) -> StoreWait:
    also = [] if rarely is None else [(rarely, rarely.database.data_version())]
    return StoreWait([(store, store.database.data_version())], stop or Event(), seconds, also)


def change(store: Store) -> None:
    store.create_queue_manager("QM9")


def started(waits: list[StoreWait]) -> list[Thread]:
    """A thread on one watch for each wait."""
    watch = StoreWatch()
    threads = [Thread(target=watch.wait, args=(each,)) for each in waits]
    for each in threads:
        each.start()
    return threads


def test_one_change_wakes_all_that_wait_for_it(store: Store, other: Store) -> None:
    """A change wakes the threads that wait for that store and no others, whichever of them
    watches all stores.
    """
    waits = [wait_for(store), wait_for(store), wait_for(other), wait_for(other)]
    threads = started(waits)
    for changed, woken, over in (
        (store, threads[:2], [True, True, False, False]),
        (other, threads[2:], [True] * 4),
    ):
        change(changed)
        for each in woken:
            each.join(LONG)
        assert [each.is_over for each in waits] == over


def test_a_wait_that_ends_leaves_the_watch_to_another(store: Store) -> None:
    short, long = wait_for(store, seconds=SOON), wait_for(store)
    threads = started([short, long])
    threads[0].join(LONG)
    assert (short.is_over, long.is_over) == (False, False)
    change(store)
    threads[1].join(LONG)
    assert long.is_over


def test_a_change_that_does_not_concern_the_thread(store: Store, other: Store) -> None:
    """Its wait goes on, and the question is asked once for each change."""
    asked: list[int] = []

    def concerns() -> bool:
        asked.append(store.database.data_version())
        return "QM9" in [row.name for row in store.queue_managers()]

    picky = StoreWait(wait_for(store).seen, Event(), LONG, concerns=concerns)
    beside, last = wait_for(store), wait_for(other)
    threads = started([picky, beside, last])
    store.add_user("app", "a password")
    threads[1].join(LONG)
    # A look later at the earliest.
    change(other)
    threads[2].join(LONG)
    assert (picky.is_over, len(asked)) == (False, 1)
    change(store)
    threads[0].join(LONG)
    assert (picky.is_over, len({*asked})) == (True, 2)


def test_a_question_that_fails_ends_the_wait(store: Store) -> None:
    def concerns() -> bool:
        raise StoreError("it cannot be read")

    wait = StoreWait(wait_for(store).seen, Event(), LONG, concerns=concerns)
    (thread,) = started([wait])
    change(store)
    thread.join(LONG)
    assert wait.is_over


@pytest.mark.parametrize("stopped", [False, True])
def test_a_store_that_is_rarely_looked_at_and_a_stop(
    store: Store,
    other: Store,
    stopped: bool,
) -> None:
    stop = Event()
    wait = wait_for(store, stop, seconds=None) if stopped else wait_for(store, rarely=other)
    Timer(SOON, stop.set if stopped else lambda: change(other)).start()
    StoreWatch().wait(wait)
    assert wait.is_over
