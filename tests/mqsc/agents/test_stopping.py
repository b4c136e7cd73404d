"""A signal stops an agent that waits, and changes nothing else in the process."""

from __future__ import annotations

import os
import signal
from threading import Event, Thread

import pytest

from mqsc.agents.stopping import StopRequested, stoppable, stopped_at_once, until_signalled
from store.client.api import open_store
from store.constants import MQGMO, MQOO
from store.environment import Environment
from store.message import GetMessageOptions
from tests.conftest import START


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_sets_the_event_and_handlers_come_back(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with until_signalled() as stop:
        assert not stop.is_set()
        os.kill(os.getpid(), number)
        assert stop.wait(10)
    assert signal.getsignal(number) is before


def test_time_is_that_of_the_clock_behind() -> None:
    frozen = Environment.frozen(at=START)
    world = stoppable(frozen, Event())
    assert (world.clock.now(), world.clock.frozen, world.user) == (START, True, "tester")
    frozen.clock.advance(seconds=1)
    assert world.clock.now() == START + 1_000_000


def test_a_pause_ends_by_stopped() -> None:
    stop = Event()
    clock = stoppable(Environment.frozen(at=START), stop).clock
    clock.pause(0.001)
    stop.set()
    with pytest.raises(StopRequested):
        clock.pause(60)


def test_a_waiting_get_stops_and_its_connection_lives() -> None:
    stop = Event()
    with open_store("sqlite://", environment=stoppable(Environment.frozen(at=START), stop)) as store:
        qmgr = store.create_queue_manager("QM1")
        with qmgr.connect() as connection:
            queue = connection.open("SYSTEM.DEFAULT.LOCAL.QUEUE", MQOO.INPUT_SHARED)
            stop.set()
            with pytest.raises(StopRequested):
                queue.get(GetMessageOptions(MQGMO.WAIT, wait_interval=-1))
            connection.commit()


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
