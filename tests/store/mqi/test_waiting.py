"""Waiting gets: one thread watches the store for all of them, and a wait can be cancelled."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.admin.connection_status import stop_connections
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQGMO, MQOO, MQPMO, MQRC
from mqsc.store.environment import Environment, FrozenClock, elapsed_real_seconds, pause_a_moment
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.mqi.get_wait import GetWait
from tests.processes.programs import PATIENCE_SECONDS, run_program
from tests.store.mqi.calls import reason_of

WAITERS = 5
Start = Callable[..., "WaitingGet"]


class WaitingGet:
    """A get that waits in a thread of its own."""

    def __init__(self, qmgr: QueueManager, queue: str, wait_interval: int) -> None:
        self.connection = qmgr.connect()
        self.handle = self.connection.open(queue, MQOO.INPUT_SHARED | MQOO.OUTPUT)
        self._options = GetMessageOptions(MQGMO.WAIT, wait_interval=wait_interval)
        self._outcome: bytes | int | None = None
        self._thread = threading.Thread(target=self._get, daemon=True)
        self._thread.start()
        while self.connection.cancel_wait is None:
            pass

    def _get(self) -> None:
        try:
            self._outcome = self.handle.get(self._options).body
        except MQError as error:
            self._outcome = error.reason

    def outcome(self) -> bytes | int | None:
        """The data of the message, or the reason of the failure; None if the get still waits."""
        self._thread.join(PATIENCE_SECONDS)
        return self._outcome


def becomes(store: Store, *, watching: bool, sleeping: int) -> bool:
    """Return whether the numbers become so within PATIENCE_SECONDS; a get that searches its
    queue does neither.
    """
    watch, deadline = store.change_watch, elapsed_real_seconds() + PATIENCE_SECONDS
    while (watch._watcher is not None, len(watch._sleepers)) != (watching, sleeping):
        if elapsed_real_seconds() > deadline:
            return False
        pause_a_moment()
    return True


@pytest.fixture
def start(qmgr: QueueManager) -> Iterator[Start]:
    """Starts gets that wait on the queue with a given number, Q0, Q1 and so on."""
    for number in range(WAITERS):
        create(qmgr, KINDS["QLOCAL"], f"Q{number}", {})
    with ExitStack() as started:

        def wait(number: int, wait_interval: int = -1) -> WaitingGet:
            waiting = WaitingGet(qmgr, f"Q{number}", wait_interval)
            started.callback(waiting.connection.cancel)
            return waiting

        yield wait


def test_one_get_watches_for_all(qmgr: QueueManager, start: Start) -> None:
    waiting = [start(number) for number in range(WAITERS)]
    assert becomes(qmgr.store, watching=True, sleeping=WAITERS - 1)
    with qmgr.connect() as connection:
        for number in reversed(range(WAITERS)):
            connection.put1(f"Q{number}", Message(b"%d" % number))
            assert waiting[number].outcome() == b"%d" % number
    assert becomes(qmgr.store, watching=False, sleeping=0)


def test_another_get_watches_when_the_first_has_ended(qmgr: QueueManager, start: Start) -> None:
    waiting = [start(number) for number in range(WAITERS)]
    for each in waiting[:-1]:
        assert each.connection.cancel()
        assert each.outcome() == MQRC.NO_MSG_AVAILABLE
    with qmgr.connect() as connection:
        connection.put1(f"Q{WAITERS - 1}", Message(b"m"))
    assert waiting[-1].outcome() == b"m"


SYNCPOINT_PUT = PutMessageOptions(MQPMO.SYNCPOINT)
SYNCPOINT_GET = GetMessageOptions(MQGMO.SYNCPOINT)
LOCK = GetMessageOptions(MQGMO.BROWSE_FIRST | MQGMO.LOCK)
UNLOCK = GetMessageOptions(MQGMO.UNLOCK)


def _uncommitted(queue: ObjectHandle) -> None:
    queue.put(Message(b"m"), SYNCPOINT_PUT)


def _got(queue: ObjectHandle) -> None:
    queue.put(Message(b"m"))
    queue.get(SYNCPOINT_GET)


def _locked(queue: ObjectHandle) -> None:
    queue.put(Message(b"m"))
    queue.get(LOCK)


# What happens before the wait, and what makes a message available during it.
@pytest.mark.parametrize(
    ("before", "during"),
    [
        (None, lambda queue, connection: queue.put(Message(b"m"))),
        (_uncommitted, lambda queue, connection: connection.commit()),
        (_got, lambda queue, connection: connection.back()),
        (_got, lambda queue, connection: connection.abend()),
        (_locked, lambda queue, connection: queue.get(UNLOCK)),
        (_locked, lambda queue, connection: queue.close()),
        (_locked, lambda queue, connection: connection.abend()),
    ],
    ids=["put", "commit", "back", "abend", "unlock", "close", "abend with a lock"],
)
def test_everything_that_makes_a_message_available_ends_a_wait(
    qmgr: QueueManager,
    start: Start,
    before: Callable[[ObjectHandle], object] | None,
    during: Callable[[ObjectHandle, Connection], object],
) -> None:
    connection = qmgr.connect()
    queue = connection.open("Q0", MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.BROWSE)
    if before is not None:
        before(queue)
    waiting = start(0)
    assert becomes(qmgr.store, watching=True, sleeping=0)
    # From now on the watcher knows the state of the queue, and asks only when that changes.
    deadline = elapsed_real_seconds() + PATIENCE_SECONDS
    while not (watcher := qmgr.store.change_watch._watcher) or not watcher._states:
        connection.put1("Q2", Message(b"elsewhere"))
        assert elapsed_real_seconds() < deadline
        pause_a_moment()
    during(queue, connection)
    assert waiting.outcome() == b"m"


def test_every_wait_ends_on_the_clock(
    qmgr: QueueManager,
    environment: Environment[FrozenClock],
    start: Start,
) -> None:
    waiting = [start(number, wait_interval=1000 + number) for number in range(WAITERS)]
    assert becomes(qmgr.store, watching=True, sleeping=WAITERS - 1)
    environment.clock.advance(1.0)
    assert waiting[0].outcome() == MQRC.NO_MSG_AVAILABLE
    environment.clock.advance(0.004)
    assert [each.outcome() for each in waiting] == [MQRC.NO_MSG_AVAILABLE] * WAITERS


def test_a_wait_that_was_cancelled_frees_its_connection(start: Start) -> None:
    waiting = start(0)
    assert reason_of(lambda: waiting.handle.put(Message(b"m"))) == MQRC.CALL_IN_PROGRESS
    assert waiting.connection.cancel()
    assert waiting.outcome() == MQRC.NO_MSG_AVAILABLE
    waiting.handle.put(Message(b"m"))
    assert waiting.handle.get(GetMessageOptions(MQGMO.WAIT, wait_interval=-1)).body == b"m"


def test_only_a_waiting_get_can_be_cancelled(qmgr: QueueManager, start: Start) -> None:
    with qmgr.connect() as connection:
        assert not connection.cancel()
        handle = connection.open("Q0", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        handle.put(Message(b"m"))
        handle.get()
        assert not connection.cancel()


# The main thread sleeps while another watches. The handler's exception ends the wait; the
# connection stays usable.
INTERRUPTED = """
import os, signal, sys, threading
from mqsc.store import GetMessageOptions, MQError, open_store
from mqsc.store.constants import MQGMO, MQOO
store = open_store(sys.argv[1])
connections = [store.queue_manager("QM1").connect() for _ in range(2)]
handles = [each.open("Q0", MQOO.INPUT_SHARED | MQOO.OUTPUT) for each in connections]
for_ever = GetMessageOptions(MQGMO.WAIT, wait_interval=-1)
def waits():
    try:
        handles[0].get(for_ever)
    except MQError as error:
        print(int(error.reason))
other = threading.Thread(target=waits)
other.start()
while store.change_watch._watcher is None:
    pass
def interrupts():
    while not store.change_watch._sleepers:
        pass
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupts).start()
try:
    handles[1].get(for_ever)
except KeyboardInterrupt:
    print("interrupted")
connections[1].disconnect()
while not connections[0].cancel():
    pass
other.join()
"""


def test_a_signal_interrupts_the_main_thread_while_another_watches(
    qmgr: QueueManager,
    start: Start,
) -> None:
    ran = run_program(INTERRUPTED, f"sqlite:///{qmgr.store.path}")
    assert (ran.stdout, ran.stderr) == ("interrupted\n2033\n", "")


def test_only_the_wait_of_a_broken_connection_looks_again(qmgr: QueueManager) -> None:
    kept, broken = qmgr.connect(), qmgr.connect()
    waits = [
        GetWait(each.open("SYSTEM.DEFAULT.LOCAL.QUEUE", MQOO.INPUT_SHARED), GetMessageOptions())
        for each in (kept, broken)
    ]
    assert [each.is_concerned() for each in waits] == [False, False]
    stop_connections(qmgr, f"{broken.number:016X}")
    assert [each.is_concerned() for each in waits] == [False, True]
    # A change of the queue manager that breaks nothing.
    change_queue_manager(qmgr, {"DESCR": "changed"})
    assert not waits[0].is_concerned()
