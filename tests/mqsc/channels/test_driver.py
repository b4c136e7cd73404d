"""A run resumes when a store changes, when a deadline is reached, and when the program is to stop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event, Timer

import pytest

from mqsc.channels.driver import drive
from mqsc.channels.link import Ending, Run, Wait
from store.client.api import QueueManager, open_store
from store.constants import MQCHS
from store.environment import MICROSECONDS

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


def test_a_change_of_the_store(qmgr: QueueManager) -> None:
    def put() -> None:
        with qmgr.connect("app"):
            changed.set()

    changed = Event()
    Timer(SOON, put).start()
    assert drive(waiting(qmgr, changed.is_set), qmgr.store, Event()) is ENDING


def test_a_deadline(qmgr: QueueManager) -> None:
    until = qmgr.now() + round(SOON * MICROSECONDS)
    assert drive(waiting(qmgr, lambda: qmgr.now() >= until, until), qmgr.store, Event()) is ENDING


def test_a_deadline_of_a_manual_clock(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'manual.db'}")
    manual = store.create_queue_manager("QM1", manual_clock_at=0)
    Timer(SOON, lambda: manual.advance_clock(10 * MICROSECONDS)).start()
    run = waiting(manual, lambda: manual.now() >= 10 * MICROSECONDS, 10 * MICROSECONDS)
    assert drive(run, store, Event()) is ENDING


def test_a_stop(qmgr: QueueManager) -> None:
    stop = Event()
    Timer(SOON, stop.set).start()
    assert drive(waiting(qmgr, stop.is_set), qmgr.store, stop) is ENDING


def test_a_run_that_completes_a_batch_after_a_stop_is_not_resumed_all_the_time(qmgr: QueueManager) -> None:
    stop, resumed = Event(), [0]
    stop.set()
    until = qmgr.now() + round(SOON * MICROSECONDS)

    def is_over() -> bool:
        resumed[0] += 1
        return qmgr.now() >= until

    assert drive(waiting(qmgr, is_over, until), qmgr.store, stop) is ENDING
    assert resumed[0] < 5
