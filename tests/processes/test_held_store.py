"""Another program holds the store and does not release it: calls wait for a limited time, then report it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import text

from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import Connection, ObjectHandle, QueueManager, Store
from store.constants import MQOO, MQPMO, MQRC
from store.descriptor import MessageDescriptor
from store.error import MQError
from store.message import Message, PutMessageOptions
from store.sqlite.database import Reading
from store.sqlite.statement import Statement
from tests.processes.conftest import Start
from tests.processes.programs import PATIENCE_SECONDS
from tests.scenarios.play import Play
from tests.source import ROOT
from tests.store.admin.looking import queue_row

# Each program prints "holds" once it holds the store. It is then stopped; continued, it releases the store.
HOLDERS = {
    "in a call": """
import sys
from store.sqlite.database import Transaction
from store.client.api import open_store
from store.sql import managers
with Transaction(open_store("sqlite:///" + sys.argv[1]).database, durable=False) as tx:
    managers.set_columns(tx, "QM1", {"is_default": 0})
    print("holds", flush=True)
    sys.stdin.read()
    sys.exit(1)
""",
    "before its turn": """
import sys
from pathlib import Path
from store.sqlite.locks import LockFile
locks = [LockFile(Path(sys.argv[1] + ".processes") / name) for name in ("next-writer", "writer")]
assert all(lock.acquire() for lock in locks)
print("holds", flush=True)
sys.stdin.read()
""",
    "a program that knows SQLite alone": """
import sys
from store.sqlite.driver import sqlite_library
other = sqlite_library().connect(sys.argv[1], isolation_level=None)
other.execute("BEGIN IMMEDIATE")
print("holds", flush=True)
sys.stdin.read()
""",
}
HOLDING_FAIRNESS_LOCK = """
import sys
from pathlib import Path
from store.sqlite.locks import LockFile
lock = LockFile(Path(sys.argv[1] + ".processes") / "next-writer")
assert lock.acquire()
print("holds", flush=True)
sys.stdin.read()
"""
SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)
SHORT = 0.2
_COUNT = Statement(text("SELECT count(*) FROM message"))


@pytest.fixture
def connection(qmgr: QueueManager) -> Connection:
    """A connection with an open unit of work."""
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    connection = qmgr.connect()
    connection.put1("Q", Message(b"m", MessageDescriptor(persistence=1)), SYNCPOINT)
    return connection


@pytest.fixture
def queue(connection: Connection) -> ObjectHandle:
    return connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.SET | MQOO.BROWSE)


class Holder:
    """Another process that holds the store. It is stopped, so that it does nothing at all."""

    def __init__(self, path: str, program: str) -> None:
        pipe = subprocess.PIPE
        command = [sys.executable, "-c", program, path]
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._pipes = (self.process.stdin, self.process.stdout)
        assert self.process.stdout.readline() == "holds\n"
        os.kill(self.process.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WNOWAIT)

    def goes_on(self) -> None:
        """Continue the process, which then releases the store."""
        os.kill(self.process.pid, signal.SIGCONT)
        self.process.communicate(timeout=PATIENCE_SECONDS)

    def dies(self) -> None:
        """Kill the process; return when it has ended."""
        self.process.kill()
        self.process.wait(PATIENCE_SECONDS)
        for pipe in self._pipes:
            pipe.close()


@pytest.fixture(params=HOLDERS)
def holder(request: pytest.FixtureRequest, store: Store, queue: ObjectHandle) -> Iterator[Holder]:
    assert store.path is not None
    held = Holder(store.path, HOLDERS[request.param])
    yield held
    held.dies()


def fails(call: Callable[[], object]) -> None:
    """Check that the call fails with 2102 and the right message."""
    with pytest.raises(MQError, match=f"2102 MQRC_RESOURCE_PROBLEM .*, held by another program for {SHORT} seconds"):
        call()


def test_every_call_waits_within_bounds(
    store: Store, qmgr: QueueManager, connection: Connection, queue: ObjectHandle, holder: Holder
) -> None:
    """A call that fails has changed nothing; calls that only read do not wait."""
    store.database.busy_timeout = SHORT
    message = Message(b"n", MessageDescriptor(persistence=1))
    for call in (
        lambda: queue.put(message),
        lambda: queue.put(message, SYNCPOINT),
        queue.get,
        queue.close,
        connection.commit,
        connection.back,
        connection.disconnect,
        lambda: connection.open("Q", MQOO.OUTPUT),
        lambda: connection.put1("Q", message),
        lambda: queue.set({10: 1}),
        qmgr.connect,
        lambda: create(qmgr, KINDS["QLOCAL"], "R", {}),
        qmgr.end,
    ):
        fails(call)
    assert (queue_row(qmgr, "Q").depth, connection.unit.count) == (1, 1)
    holder.goes_on()
    connection.commit()
    assert queue.get().body == b"m"


def test_a_call_goes_on_when_the_holder_is_killed(qmgr: QueueManager, queue: ObjectHandle, holder: Holder) -> None:
    """The killed program's partial work is rolled back."""
    placed: list[object] = []
    thread = threading.Thread(target=lambda: placed.append(queue.put(Message(b"n"))))
    thread.start()
    holder.dies()
    thread.join(PATIENCE_SECONDS)
    assert len(placed) == 1
    assert qmgr.row().is_default


def test_writers_ignore_a_stopped_program_that_holds_the_fairness_lock(store: Store, queue: ObjectHandle) -> None:
    """The holder of that lock is the next to write, but cannot block others permanently."""
    assert store.path is not None
    holder = Holder(store.path, HOLDING_FAIRNESS_LOCK)
    try:
        queue.put(Message(b"n"))
        assert queue.get().body == b"n"
    finally:
        holder.dies()


def test_all_threads_of_a_program_are_told(store: Store, qmgr: QueueManager, holder: Holder) -> None:
    store.database.busy_timeout = SHORT
    reasons: list[int] = []

    def connect() -> None:
        try:
            qmgr.connect()
        except MQError as refused:
            reasons.append(int(refused.reason))

    threads = [threading.Thread(target=connect) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_SECONDS)
    assert reasons == [MQRC.RESOURCE_PROBLEM] * 20


def test_a_program_that_is_stopped_is_not_dead(play: Play, store: Store, program: Start) -> None:
    """It keeps its units of work and handles, however long it does nothing."""
    other = program()
    other.run("put m persistence=1\nget syncpoint => m\nopen R input-exclusive")
    other.stop()
    assert not store.recover()
    play.run("get => 2/2033\nopen R input-shared => 2/2042\nput n\nget => n")
    other.go_on()
    other.run("back\nget => m bc=1")


def test_a_program_that_reads_slowly_is_in_nobodys_way(play: Play, store: Store, program: Start) -> None:
    """Other programs write meanwhile; the reader still sees the state at its start."""
    with Reading(store.database, one_state=True) as reading:
        before = reading.all(_COUNT)
        other = program(SHORT)
        other.run("put m*50 persistence=1\nget => m1")
        assert reading.all(_COUNT) == before
