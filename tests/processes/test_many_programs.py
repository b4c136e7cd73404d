"""Many processes with several threads each on one store: every thread makes progress, and their
results add up.
"""

from __future__ import annotations

import mmap
import os
import struct
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count

from mqsc.store.admin.expiry import refresh_expiry
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from tests.mqsc.agents.scripts import wait_until
from tests.processes.conftest import StartPlayer
from tests.processes.programs import is_whole, working
from tests.scenarios.play import Play
from tests.store.admin.looking import queue_row

PROCESSES = 4
ENOUGH = 30
# Observed: the threads' counts of one kind of work differ by no more than about a third.
MOST_TIMES_THE_LEAST = 15
_COUNTER = struct.Struct("q")


def cycle(qmgr: QueueManager, queue: ObjectHandle, name: str) -> None:
    """Put a persistent message and get it, each in a call of its own."""
    wanted = name.encode().ljust(24)
    queue.put(Message(b"x" * 500, MessageDescriptor(persistence=1, correl_id=wanted)))
    queue.get(GetMessageOptions(match_options=MATCH_CORREL_ID, correl_id=wanted))


def unit(qmgr: QueueManager, queue: ObjectHandle, name: str) -> None:
    """Put ten messages in one unit of work, and get them in the next."""
    wanted = name.encode().ljust(24)
    asked = GetMessageOptions(MQGMO.SYNCPOINT, match_options=MATCH_CORREL_ID, correl_id=wanted)
    queue.put(
        [Message(b"y", MessageDescriptor(correl_id=wanted))] * 10,
        PutMessageOptions(MQPMO.SYNCPOINT),
    )
    queue.connection.commit()
    for _ in range(10):
        queue.get(asked)
    queue.connection.commit()


def look(qmgr: QueueManager, queue: ObjectHandle, name: str) -> None:
    try:
        queue.get(GetMessageOptions(MQGMO.BROWSE_FIRST))
    except MQError as nothing:
        if nothing.reason != MQRC.NO_MSG_AVAILABLE:
            raise
    queue_row(qmgr, "Q")


def expire(qmgr: QueueManager, queue: ObjectHandle, name: str) -> None:
    """Put a message that expires, on a connection of its own, and run an expiry scan."""
    with qmgr.connect() as connection:
        connection.put1("R", Message(b"z", MessageDescriptor(expiry=1)))
    refresh_expiry(qmgr, "R")


MATCH_CORREL_ID = 2
WORK = (cycle, unit, look, expire)


class Progress:
    """Counters, shared between processes, of the work done by each thread; -1 for a thread that
    failed.
    """

    def __init__(self, threads: int) -> None:
        self._memory = mmap.mmap(-1, threads * _COUNTER.size)
        self._threads = threads

    def note(self, thread: int, done: int) -> None:
        _COUNTER.pack_into(self._memory, thread * _COUNTER.size, done)

    def read(self) -> list[int]:
        """Return all counters; AssertionError if a thread failed."""
        counted = [int(each[0]) for each in _COUNTER.iter_unpack(self._memory[:])]
        assert min(counted) >= 0, "a thread failed"
        return counted


def work_in_threads(url: str, process: int, progress: Progress) -> None:
    qmgr = open_store(url).queue_manager("QM1")

    def work(number: int, kind: Callable[[QueueManager, ObjectHandle, str], None]) -> None:
        try:
            with qmgr.connect() as connection:
                queue = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.BROWSE)
                for done in count(1):
                    kind(qmgr, queue, str(number))
                    progress.note(number, done)
        except BaseException:
            progress.note(number, -1)
            traceback.print_exc()

    threads = [
        threading.Thread(target=work, args=each) for each in enumerate(WORK, process * len(WORK))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@contextmanager
def at_work(url: str) -> Iterator[Progress]:
    """Run processes with threads; leaving the block kills them."""
    progress = Progress(PROCESSES * len(WORK))
    children = []
    for number in range(PROCESSES):
        child = os.fork()
        if child == 0:
            try:
                work_in_threads(url, number, progress)
            finally:
                os._exit(1)
        children.append(child)
    try:
        yield progress
    finally:
        for child in children:
            os.kill(child, 9)
        for child in children:
            os.waitpid(child, 0)


def since(before: list[int], progress: Progress) -> list[int]:
    """Return how often each thread has done its work since then."""
    return [now - then for now, then in zip(progress.read(), before, strict=True)]


def test_nobody_starves(url: str, store: Store, qmgr: QueueManager, play: Play) -> None:
    with at_work(url) as progress:
        wait_until(lambda: min(progress.read()) > 0)
        before = progress.read()
        wait_until(lambda: min(since(before, progress)) >= ENOUGH)
        done = since(before, progress)
    shares = [sorted(done[kind :: len(WORK)]) for kind in range(len(WORK))]
    assert all(share[-1] <= MOST_TIMES_THE_LEAST * share[0] for share in shares), shares
    assert store.recover()
    assert is_whole(store)
    assert (queue_row(qmgr, "Q").input_handles, queue_row(qmgr, "Q").output_handles) == (0, 0)
    play.run("put m\nget msg_id=m => m")


def test_waiting_gets_are_woken_on_a_busy_store(url: str, play: Play, program: StartPlayer) -> None:
    """Each message is for one of the waiting gets, and none of them starves."""
    play.run("DEFINE QLOCAL(S)")
    waiters = [program() for _ in range(3)]
    with at_work(url):
        for _ in range(5):
            for waiter in waiters:
                waiter.tell("get from S wait wait_interval=-1")
            play.run("put m*3 on S syncpoint\ncommit")
            assert [waiter.line() for waiter in waiters] == ["done"] * 3
    play.run("on S => nothing")


def test_many_threads_on_one_connection(qmgr: QueueManager, play: Play) -> None:
    """One call at a time: concurrent calls fail with 2219 and have no effect."""
    placed: list[int] = []
    refused: list[int] = []

    def puts(queue: ObjectHandle) -> None:
        for _ in range(100):
            try:
                queue.put(Message(b"x"))
                placed.append(1)
            except MQError as error:
                refused.append(int(error.reason))

    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.OUTPUT)
        with working(*[partial(puts, queue)] * 8):
            pass
    assert queue_row(qmgr, "Q").depth == len(placed)
    assert len(placed) + len(refused) == 800
    assert set(refused) <= {MQRC.CALL_IN_PROGRESS}


def test_many_threads_with_connections_of_their_own(qmgr: QueueManager, play: Play) -> None:
    """Connections and handles are opened and closed all the time, and units of work committed
    and backed out.
    """

    def programs(number: int) -> None:
        for round in range(10):
            connection: Connection = qmgr.connect()
            queue = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
            queue.put([Message(b"x")] * 3, PutMessageOptions(MQPMO.SYNCPOINT))
            (connection.commit if round % 2 else connection.back)()
            if number % 2:
                queue.close()
            connection.disconnect()

    with working(*(partial(programs, number) for number in range(16))):
        pass
    row = queue_row(qmgr, "Q")
    assert (row.depth, row.input_handles, row.output_handles) == (16 * 5 * 3, 0, 0)
