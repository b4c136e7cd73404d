"""When signal handlers run. Programs cannot tell that their handlers are wrapped."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import pytest

from mqsc.store.error import MQError
from mqsc.store.sqlite.interruptions import Interruptible, Uninterrupted, run_pending_handlers
from mqsc.store.sqlite.locks import WriterLock
from tests.processes.programs import run_program

NUMBER = signal.SIGUSR1


class Interrupted(Exception):
    pass


@pytest.fixture(autouse=True)
def handler() -> Iterator[None]:
    def interrupt(number: int, frame: object) -> NoReturn:
        raise Interrupted

    with Uninterrupted():
        pass
    before = signal.signal(NUMBER, interrupt)
    yield
    signal.signal(NUMBER, before)


def test_a_handler_runs_when_the_outermost_block_ends_and_outside_of_calls_at_once() -> None:
    reached = []
    with suppress(Interrupted):
        with Uninterrupted():
            with Uninterrupted():
                signal.raise_signal(NUMBER)
                reached.append("in")
            reached.append("out")
        reached.append("not this")
    assert reached == ["in", "out"]
    with pytest.raises(Interrupted):
        signal.raise_signal(NUMBER)


def test_a_call_that_waits_runs_handlers_as_an_interruptible_block_does_when_a_call_ends() -> None:
    reached = []
    with suppress(Interrupted), Uninterrupted():
        signal.raise_signal(NUMBER)
        reached.append("signalled")
        run_pending_handlers()
        reached.append("not this")
    with suppress(Interrupted), Uninterrupted(), Interruptible():
        with Uninterrupted():
            signal.raise_signal(NUMBER)
            reached.append("in")
        reached.append("not this")
    assert reached == ["signalled", "in"]


def test_calls_of_other_threads_do_not_delay_handlers() -> None:
    began, done = threading.Event(), threading.Event()

    def call() -> None:
        with Uninterrupted():
            began.set()
            done.wait()

    thread = threading.Thread(target=call)
    thread.start()
    began.wait()
    with pytest.raises(Interrupted):
        signal.raise_signal(NUMBER)
    done.set()
    thread.join()


def test_every_handler_that_waited_runs() -> None:
    ran = []
    before = signal.signal(signal.SIGUSR2, lambda *_: ran.append("second"))
    with suppress(Interrupted), Uninterrupted():
        signal.raise_signal(NUMBER)
        signal.raise_signal(signal.SIGUSR2)
        ran.append("first")
    assert ran == ["first", "second"]
    assert signal.signal(signal.SIGUSR2, before) is not None


# A program sees its own handlers, whether installed before or after the first call, and those of
# Python.
SEEN = """
import signal, sys
from mqsc.store.sqlite.interruptions import Uninterrupted
def mine(*_): pass
signal.signal(signal.SIGTERM, mine)
with Uninterrupted():
    pass
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
assert signal.getsignal(signal.SIGTERM) is mine
assert signal.signal(signal.SIGTERM, signal.SIG_IGN) is mine
assert signal.signal(signal.SIGTERM, mine) is signal.SIG_IGN
reached = []
try:
    with Uninterrupted():
        signal.raise_signal(signal.SIGINT)
        reached.append("after")
except KeyboardInterrupt:
    print(reached)
"""


def test_a_program_sees_its_own_handlers() -> None:
    ran = run_program(SEEN)
    assert (ran.stdout, ran.stderr) == ("['after']\n", "")


def test_a_lock_that_this_thread_kept_outside_a_transaction_is_acquired_again(
    tmp_path: Path,
) -> None:
    lock, other = WriterLock(tmp_path, tmp_path), WriterLock(tmp_path, tmp_path)
    assert lock.acquire(0.0)
    assert lock.acquire(0.0)
    lock.in_transaction = True
    with pytest.raises(MQError, match="2219"):
        lock.acquire(0.0)
    lock.release()
    assert other.acquire(0.0)
