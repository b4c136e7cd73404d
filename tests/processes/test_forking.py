"""A program forks while it has a store open: its connections remain its own, and the child can
make new ones.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.sqlite import database
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.liveness import folder_beside
from mqsc.store.sqlite.locks import SingleInstanceLock
from tests.mqsc.agents.scripts import wait_until
from tests.processes.conftest import Start, StartPlayer
from tests.processes.programs import PATIENCE_SECONDS, Work, connected, is_whole, working
from tests.rows import rows
from tests.scenarios.play import Play
from tests.scenarios.words import code_of
from tests.store.admin.looking import queue_row

SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)
ALL_WAYS = MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.BROWSE | MQOO.SET | MQOO.INQUIRE


def in_child(work: Callable[[], object]) -> int:
    """Fork, run `work` in the child, and exit there without cleanup. Returns 0 if it succeeded."""
    return ended(started(work))


def started(work: Callable[[], object]) -> int:
    """Fork a child that runs `work`; return its process id."""
    number = os.fork()
    if number:
        return number
    try:
        work()
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def ended(number: int) -> int:
    """Wait for a child; return its exit code, or the negated number of the signal that killed
    it.
    """
    return os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])


@pytest.fixture
def connection(play: Play) -> Connection:
    """A connection with an open unit of work on Q."""
    play.run("put m1 persistence=1\nget syncpoint => m1")
    return play.connection("A")


@pytest.fixture
def queue(connection: Connection) -> ObjectHandle:
    return connection.open("Q", ALL_WAYS)


Call = Callable[[Connection, ObjectHandle], Any]
CALLS: dict[str, Call] = {
    "open": lambda connection, _: connection.open("Q", MQOO.OUTPUT),
    "put": lambda _, queue: queue.put(Message(b"x")),
    "put list": lambda _, queue: queue.put([Message(b"x")]),
    "put1": lambda connection, _: connection.put1("Q", Message(b"x")),
    "get": lambda _, queue: queue.get(),
    "wait": lambda _, queue: queue.get(GetMessageOptions(MQGMO.WAIT, wait_interval=-1)),
    "inquire": lambda _, queue: queue.inquire(16),
    "set": lambda _, queue: queue.set({10: 0}),
    "close": lambda _, queue: queue.close(),
    "begin": lambda connection, _: connection.begin(),
    "commit": lambda connection, _: connection.commit(),
    "back": lambda connection, _: connection.back(),
    "disconnect": lambda connection, _: connection.disconnect(),
    "abend": lambda connection, _: connection.abend(),
}


def test_inherited_connections_are_2018(
    play: Play,
    connection: Connection,
    queue: ObjectHandle,
) -> None:
    """The parent's unit of work is not affected."""

    def work() -> None:
        reasons = {name: code_of(partial(call, connection, queue)) for name, call in CALLS.items()}
        assert reasons == dict.fromkeys(CALLS, "2/2018")

    assert in_child(work) == 0
    play.run("back\nget => m1 bc=1")


def test_leaving_an_inherited_block_ends_nothing(qmgr: QueueManager, play: Play) -> None:
    with qmgr.connect() as mine:
        mine.put1("Q", Message(b"m1"), SYNCPOINT)
        assert in_child(lambda: mine.__exit__(None, None, None)) == 0
        assert in_child(lambda: mine.__exit__(ValueError, ValueError(), None)) == 0
        mine.commit()
    play.run("get => m1")


def test_an_inherited_connection_that_is_collected_ends_nothing(
    qmgr: QueueManager,
    play: Play,
) -> None:
    kept = [qmgr.connect()]
    kept[0].put1("Q", Message(b"m1"), SYNCPOINT)

    def work() -> None:
        kept.clear()
        gc.collect()
        qmgr.connect().disconnect()

    assert in_child(work) == 0
    kept[0].commit()
    play.run("get => m1")


def test_a_child_makes_connections_of_its_own(store: Store, qmgr: QueueManager, play: Play) -> None:
    def work() -> None:
        with qmgr.connect() as connection:
            queue = connection.open("Q", ALL_WAYS)
            assert queue.get().body == b"m1"
            queue.put(Message(b"m2"))
        store.close()

    play.run("put m1")
    assert in_child(work) == 0
    play.run("get => m2")
    assert queue_row(qmgr, "Q").input_handles == 1


def test_a_child_that_is_killed_is_recovered(store: Store, qmgr: QueueManager, play: Play) -> None:
    def work() -> None:
        qmgr.connect().open("Q", ALL_WAYS).get(GetMessageOptions(MQGMO.SYNCPOINT))
        os.kill(os.getpid(), signal.SIGKILL)

    play.run("put m1")
    assert in_child(work) == -signal.SIGKILL
    assert store.recover()
    play.run("get => m1 bc=1")


def test_the_end_of_a_child_is_not_that_of_its_parent(
    connection: Connection,
    program: StartPlayer,
) -> None:
    """Other programs see the parent as alive, both while the child runs and after it has ended."""
    other = program()
    number = started(signal.pause)
    try:
        other.run("get => 2/2033")
    finally:
        os.kill(number, signal.SIGKILL)
        ended(number)
    other.run("get => 2/2033")
    connection.back()
    other.run("get => m1 bc=1")


def kill_parent(url: str) -> None:
    """Get a message, and be killed by a child, which says its number and goes on."""
    connected(url).open("Q", MQOO.INPUT_EXCLUSIVE).get(GetMessageOptions(MQGMO.SYNCPOINT))
    if os.fork() == 0:
        # Not before: until then the child has not let go of what it inherited.
        os.kill(os.getppid(), signal.SIGKILL)
        print(os.getpid())
    signal.pause()


def fork_while_entering(url: str) -> None:
    """Fork while a thread registers the process: others do not know the lock file yet. Then be
    killed.
    """
    database.FORK_TIMEOUT_SECONDS = 0.1
    store = open_store(url)
    assert store.path is not None
    with working(store.register_process):
        while not any(folder_beside(store.path).glob(f"{os.getpid()}-*")):
            pass
        child = os.fork()
        if child == 0:
            signal.pause()
        print(child)
    connection = store.queue_manager("QM1").connect()
    connection.open("Q", MQOO.INPUT_EXCLUSIVE).get(GetMessageOptions(MQGMO.SYNCPOINT))
    os.kill(os.getpid(), signal.SIGKILL)


@rows(kill_parent, fork_while_entering)
def test_a_child_does_not_keep_its_parent_alive(
    store: Store,
    play: Play,
    start: Start,
    work: Work,
) -> None:
    """A killed parent is recovered although its child still runs."""
    play.run("put m1")
    parent = start(work)
    with (
        Transaction(store.database, durable=False) if work is fork_while_entering else nullcontext()
    ):
        child = int(parent.line())
    try:
        assert parent.wait() == -signal.SIGKILL
        play.run("get => m1 bc=1")
    finally:
        os.kill(child, signal.SIGKILL)


def test_a_lock_that_is_given_up_is_nobodys(tmp_path: Path) -> None:
    """Even if the process forks while it holds the lock, for example during recovery in another
    thread.
    """
    path = tmp_path / "lock"
    held = SingleInstanceLock(path)
    assert held.acquire()
    child = started(signal.pause)
    try:
        held.release()
        other = SingleInstanceLock(path)
        assert other.acquire()
        other.release()
    finally:
        os.kill(child, signal.SIGKILL)
        ended(child)


def test_forking_while_threads_put_and_wait(store: Store, qmgr: QueueManager, play: Play) -> None:
    """Nothing is lost, and neither threads nor children block."""
    play.run("ALTER QLOCAL(Q) MAXDEPTH(999999)")
    stop = threading.Event()
    placed: list[int] = []

    def puts(name: str) -> None:
        with qmgr.connect() as connection:
            queue = connection.open("Q", MQOO.OUTPUT)
            number = 0
            while not stop.is_set():
                queue.put(Message(f"{name}.{number}".encode(), MessageDescriptor(persistence=1)))
                number += 1
        placed.append(number)

    def waits() -> None:
        with qmgr.connect() as connection:
            asked = GetMessageOptions(MQGMO.WAIT, wait_interval=-1)
            assert connection.open("R", MQOO.INPUT_SHARED).get(asked).body == b"end"

    def work() -> None:
        with qmgr.connect() as connection:
            connection.put1("Q", Message(b"child", MessageDescriptor(persistence=1)))

    children = 15
    with working(partial(puts, "a"), partial(puts, "b"), waits):
        wait_until(lambda: queue_row(qmgr, "R").input_handles)
        assert [in_child(work) for _ in range(children)] == [0] * children
        stop.set()
        play.run("put end on R")
    assert is_whole(store)
    assert queue_row(qmgr, "Q").depth == sum(placed) + children


def test_forking_while_a_thread_is_at_work_in_memory() -> None:
    """The child has its own copy of the store, and does not wait for the parent's threads."""
    stop = threading.Event()
    with open_store("sqlite://") as store:
        qmgr = store.create_queue_manager("QM1")

        def looks() -> None:
            while not stop.is_set():
                with Transaction(store.database, durable=False) as tx:
                    qmgr.call_context(tx)

        def work() -> None:
            signal.alarm(round(PATIENCE_SECONDS))
            create(qmgr, KINDS["QLOCAL"], "MINE", {})
            assert queue_row(qmgr, "MINE").depth == 0

        with working(looks):
            codes = [in_child(work) for _ in range(30)]
            stop.set()
        assert codes == [0] * 30
        create(qmgr, KINDS["QLOCAL"], "MINE", {})


def test_threads_that_fork_at_once(qmgr: QueueManager, play: Play) -> None:
    codes: list[int] = []

    def work() -> None:
        with qmgr.connect() as connection:
            connection.put1("Q", Message(b"child"))
            in_child(lambda: qmgr.connect().disconnect())

    def forks() -> None:
        codes.extend(in_child(work) for _ in range(5))

    with working(*[forks] * 4):
        pass
    assert codes == [0] * 20
    play.run("put last\nget => child")
    assert queue_row(qmgr, "Q").depth == 20


def fork_interrupted(url: str) -> None:
    """The fork waits for the first store, which is busy; Ctrl-C ends the wait before the second
    store is reached.
    """
    database.FORK_TIMEOUT_SECONDS = 2.0
    one, other = open_store(url), open_store(url)
    busy, stop = [threading.Event() for _ in range(2)], threading.Event()

    def holds(store: Store, began: threading.Event) -> None:
        connection = store.database.acquire_connection()
        began.set()
        stop.wait()
        store.database.release_connection(connection)

    def interrupts() -> None:
        while not (one.database._is_forking or other.database._is_forking):
            pass
        os.kill(os.getpid(), signal.SIGINT)

    with working(partial(holds, one, busy[0]), partial(holds, other, busy[1])):
        for began in busy:
            began.wait()
        with working(interrupts):
            in_child(lambda: None)
            stop.set()
    code = in_child(lambda: one.queue_manager().connect().disconnect())
    print(code, one.database.data_version() == other.database.data_version())


@pytest.mark.usefixtures("qmgr")
def test_a_fork_that_is_interrupted_holds_up_nobody(start: Start) -> None:
    code, said, told = start(fork_interrupted, errors=True).rest()
    assert (code, said) == (0, "0 True\n"), told


def crowd(url: str) -> None:
    """Use everything for the first time while threads fork; connections are opened, closed and
    garbage-collected.
    """
    qmgr = open_store(url).queue_manager("QM1")
    stop = threading.Event()
    placed: list[int] = []

    def puts() -> None:
        while not stop.is_set():
            with qmgr.connect() as connection:
                connection.open("Q", MQOO.OUTPUT).put([Message(b"x")] * 3, SYNCPOINT)
            placed.append(3)

    def abandons() -> None:
        while not stop.is_set():
            qmgr.connect().put1("Q", Message(b"lost"), SYNCPOINT)
            gc.collect()

    def work() -> None:
        with qmgr.connect() as connection:
            connection.put1("Q", Message(b"x"))

    def forks() -> None:
        for _ in range(40):
            if in_child(work) == 0:
                placed.append(1)

    with working(puts, puts, abandons):
        with working(forks, forks):
            pass
        stop.set()
    print(sum(placed), placed.count(1))


def test_a_crowd_of_threads_that_connect_and_fork(
    qmgr: QueueManager,
    play: Play,
    start: Start,
) -> None:
    """No child waits for a thread of its parent, and no file that another process has open is
    modified.
    """
    play.run("ALTER QLOCAL(Q) MAXDEPTH(999999)")
    code, said, told = start(crowd, errors=True).rest()
    assert (code, told) == (0, "")
    placed, children = map(int, said.split())
    qmgr.store.recover()
    assert is_whole(qmgr.store)
    assert (queue_row(qmgr, "Q").depth, children) == (placed, 80)
