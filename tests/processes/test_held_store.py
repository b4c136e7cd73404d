"""Another program holds the store and does not release it: calls wait for a limited time, then
report it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from signal import SIGCONT, SIGSTOP

import pytest

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQOO, MQPMO, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.sql import managers
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.driver import sqlite_library
from mqsc.store.sqlite.locks import LockFile
from tests.processes.conftest import Start, StartPlayer
from tests.processes.programs import Program, working
from tests.scenarios.play import Play
from tests.store.admin.looking import queue_row

SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)
SHORT = 0.2
_COUNT = "SELECT count(*) FROM message"


def wait() -> None:
    """Say that this program holds the store. It is then stopped; continued, it releases the
    store.
    """
    print("holds")
    sys.stdin.read()


def in_a_call(path: str) -> None:
    with Transaction(open_store(f"sqlite:///{path}").database, durable=False) as tx:
        managers.set_columns(tx, "QM1", {"is_default": 0})
        wait()
        sys.exit(1)


def before_its_turn(path: str, *names: str) -> None:
    locks = [
        LockFile(Path(f"{path}.processes") / name) for name in names or ("next-writer", "writer")
    ]
    assert all(lock.acquire() for lock in locks)
    wait()


def with_sqlite_alone(path: str) -> None:
    other = sqlite_library().connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    wait()


@pytest.fixture
def connection(qmgr: QueueManager) -> Connection:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    connection = qmgr.connect()
    connection.put1("Q", Message(b"m", MessageDescriptor(persistence=1)), SYNCPOINT)
    return connection


@pytest.fixture
def queue(connection: Connection) -> ObjectHandle:
    return connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.SET | MQOO.BROWSE)


def holding(launch: Start, hold: Callable[..., None], store: Store, *names: str) -> Program:
    """Start a program that holds the store, and stop it, so that it does nothing at all."""
    holder = launch(hold, store.path, *names)
    assert holder.line() == "holds"
    holder.signal(SIGSTOP)
    return holder


@pytest.fixture(params=[in_a_call, before_its_turn, with_sqlite_alone])
def holder(
    request: pytest.FixtureRequest,
    store: Store,
    queue: ObjectHandle,
    launch: Start,
) -> Program:
    return holding(launch, request.param, store)


def fails(call: Callable[[], object]) -> None:
    """Check that the call fails with 2102 and the right message."""
    with pytest.raises(
        MQError,
        match=f"2102 MQRC_RESOURCE_PROBLEM .*, held by another program for {SHORT} seconds",
    ):
        call()


def test_every_call_waits_within_bounds(
    store: Store,
    qmgr: QueueManager,
    connection: Connection,
    queue: ObjectHandle,
    holder: Program,
) -> None:
    """A call that fails has changed nothing; calls that only read do not wait."""
    store.database.busy_timeout = SHORT
    message = Message(b"n", MessageDescriptor(persistence=1))
    for call in (
        lambda: queue.put(message),
        lambda: queue.put(message, SYNCPOINT),
        *(queue.get, queue.close, connection.commit, connection.back, connection.disconnect),
        lambda: connection.open("Q", MQOO.OUTPUT),
        lambda: connection.put1("Q", message),
        lambda: queue.set({10: 1}),
        qmgr.connect,
        lambda: create(qmgr, KINDS["QLOCAL"], "R", {}),
        qmgr.end,
    ):
        fails(call)
    assert (queue_row(qmgr, "Q").depth, connection.unit.count) == (1, 1)
    holder.signal(SIGCONT)
    holder.rest()
    connection.commit()
    assert queue.get().body == b"m"


def test_a_call_goes_on_when_the_holder_is_killed(
    qmgr: QueueManager,
    queue: ObjectHandle,
    holder: Program,
) -> None:
    """The killed program's partial work is rolled back."""
    placed: list[object] = []
    with working(lambda: placed.append(queue.put(Message(b"n")))):
        holder.kill()
    assert len(placed) == 1
    assert qmgr.row().is_default


def test_writers_ignore_a_stopped_holder_of_the_fairness_lock(
    store: Store,
    queue: ObjectHandle,
    launch: Start,
) -> None:
    """The holder of that lock is the next to write, but cannot block others permanently."""
    holding(launch, before_its_turn, store, "next-writer")
    queue.put(Message(b"n"))
    assert queue.get().body == b"n"


def test_all_threads_of_a_program_are_told(
    store: Store,
    qmgr: QueueManager,
    holder: Program,
) -> None:
    store.database.busy_timeout = SHORT
    reasons: list[int] = []

    def connect() -> None:
        try:
            qmgr.connect()
        except MQError as refused:
            reasons.append(int(refused.reason))

    with working(*[connect] * 20):
        pass
    assert reasons == [MQRC.RESOURCE_PROBLEM] * 20


def test_a_program_that_is_stopped_is_not_dead(
    play: Play,
    store: Store,
    program: StartPlayer,
) -> None:
    """It keeps its units of work and handles, however long it does nothing."""
    other = program()
    other.run("put m persistence=1\nget syncpoint => m\nopen R input-exclusive")
    other.signal(SIGSTOP)
    assert not store.recover()
    play.run("get => 2/2033\nopen R input-shared => 2/2042\nput n\nget => n")
    other.signal(SIGCONT)
    other.run("back\nget => m bc=1")


def test_a_program_that_reads_slowly_is_in_nobodys_way(
    play: Play,
    store: Store,
    program: StartPlayer,
) -> None:
    """Other programs write meanwhile; the reader still sees the state at its start."""
    with Reading(store.database, one_state=True) as reading:
        before = reading.all(_COUNT)
        other = program(SHORT)
        other.run("put m*50 persistence=1\nget => m1")
        assert reading.all(_COUNT) == before
