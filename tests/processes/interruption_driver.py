"""Interrupts calls at random moments and checks after each interruption that nothing is left
behind.

A timer's signal handler raises KeyboardInterrupt, as Ctrl-C does, wherever the main thread is.
"""

from __future__ import annotations

import gc
import random
import signal
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import mqsc
from mqsc.store import (
    GetMessageOptions,
    Message,
    MessageDescriptor,
    MQError,
    PutMessageOptions,
    open_store,
)
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.store import Store
from mqsc.store.constants import MQGMO, MQOO, MQPMO, MQRC
from mqsc.store.past.audit import audit
from mqsc.store.sql import connections
from mqsc.store.sqlite import interruptions
from mqsc.store.sqlite.database import Reading
from mqsc.store.sqlite.driver import sqlite_library
from mqsc.store.sqlite.liveness import folder_beside
from mqsc.store.sqlite.locks import LockFile
from tests.processes.campaign import Broken
from tests.processes.programs import Player, Program

LONGEST_DELAY_SECONDS = 0.004
AGAIN_SECONDS = 1.0
# An audit reads the whole history: after each interruption it took most of the time.
INTERRUPTIONS_PER_AUDIT = 100
# Enough to get until the puts have overtaken the gets: a unit of work does not see what it has put
# itself.
FIRST_MESSAGES = 100
QUEUE, EMPTY = "Q", "EMPTY"
OPTIONS = MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.BROWSE | MQOO.INQUIRE
COMMANDS = (
    "DEFINE QLOCAL(NEW) REPLACE\nALTER QLOCAL(NEW) MAXDEPTH(7)\nDISPLAY QUEUE(*)\nDELETE "
    "QLOCAL(NEW)"
)
IN_UNIT = PutMessageOptions(MQPMO.SYNCPOINT)


class Worker:
    """The calls to interrupt. The connection and its handles are kept from one interruption to
    the next.
    """

    def __init__(self, store: Store, chance: random.Random) -> None:
        self.qmgr = store.queue_manager("QM1")
        self.connection = self.qmgr.connect(application="interrupted")
        self.queue = self.connection.open(QUEUE, OPTIONS)
        self.empty = self.connection.open(EMPTY, OPTIONS)
        self.chance = chance

    def put(self) -> None:
        self.queue.put(Message(b"x", MessageDescriptor(persistence=self.chance.randrange(2))))

    def get(self) -> None:
        _get(
            self.queue,
            GetMessageOptions(
                self.chance.choice((MQGMO.NO_WAIT, MQGMO.BROWSE_FIRST, MQGMO.BROWSE_NEXT)),
            ),
        )

    def unit(self) -> None:
        self.queue.put([Message(b"1"), Message(b"2")], IN_UNIT)
        _get(self.queue, GetMessageOptions(MQGMO.SYNCPOINT))
        _get(self.queue, GetMessageOptions(MQGMO.SYNCPOINT))
        self.chance.choice((self.connection.commit, self.connection.back))()

    def connect(self) -> None:
        with self.qmgr.connect(application="passing") as connection:
            connection.put1(QUEUE, Message(b"x"))
            connection.open(QUEUE, OPTIONS).close()

    def mqsc(self) -> None:
        mqsc.run(self.qmgr, COMMANDS)

    def wait(self) -> None:
        _get(
            self.empty,
            GetMessageOptions(MQGMO.WAIT, wait_interval=self.chance.choice((1, 30, -1))),
        )

    def open_store(self) -> None:
        with open_store(f"sqlite:///{self.qmgr.store.path}") as other:
            other.queue_manager("QM1").connect().disconnect()

    def transaction(self) -> None:
        with self.qmgr.store.database.one_transaction():
            mqsc.run(self.qmgr, "DEFINE QLOCAL(NEW)\nDELETE QLOCAL(NEW)")


KINDS_OF_WORK: dict[str, Callable[[Worker], None]] = {
    each.__name__: each
    for each in (
        *(Worker.put, Worker.get, Worker.unit, Worker.connect, Worker.mqsc),
        *(Worker.wait, Worker.open_store, Worker.transaction),
    )
}


def run(folder: Path, number: int, seed: int) -> str:
    """Interrupt calls `number` times in a process of its own; return its summary line, or raise
    what it broke.
    """
    with Program(interrupt, folder, number, random.Random(seed), errors=True) as program:
        code, said, told = program.rest(patience=None)
    if code:
        raise Broken(told)
    return said


def interrupt(folder: Path, number: int, chance: random.Random) -> None:
    """Say a summary; or what was left behind, and exit with 1."""
    with open_store(f"sqlite:///{folder / 'interrupted.db'}") as store:
        qmgr = store.create_queue_manager("QM1")
        mqsc.run(
            qmgr,
            f"DEFINE QLOCAL({QUEUE}) MAXDEPTH(999999)\nDEFINE QLOCAL({EMPTY})\nDEFINE QLOCAL(R)",
            check=True,
        )
        signal.signal(signal.SIGALRM, _interrupt)
        worker, interrupted, deferred = Worker(store, chance), Counter[str](), 0
        with Player(f"sqlite:///{store.path}", 0.0, audits=False) as program:
            # Every check collects garbage. Freezing what is loaded by now, commands included, makes
            # that fast.
            worker.mqsc()
            worker.queue.put([Message(b"x")] * FIRST_MESSAGES)
            gc.freeze()
            for done in range(1, number + 1):
                kind = chance.choice(list(KINDS_OF_WORK))
                deferred += _interrupt_one(
                    KINDS_OF_WORK[kind],
                    worker,
                    chance.uniform(0, LONGEST_DELAY_SECONDS),
                )
                interrupted[kind] += 1
                left = _left_behind(store, worker.connection, program)
                if left:
                    sys.exit(
                        f"interruption {interrupted.total()}, during {kind}, left behind: "
                        f"{', '.join(left)}",
                    )
                # The unit of work of an interrupted call is still open, as after any exception.
                worker.connection.back()
                if done == number or done % INTERRUPTIONS_PER_AUDIT == 0:
                    _require_sound_history(store, done)
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(interrupted.items()))
    print(
        f"{number} interruptions ({kinds}), {deferred} of them during a call: nothing left behind",
    )


def _require_sound_history(store: Store, done: int) -> None:
    """Exit with 1 unless the history accounts for every message after so many interruptions."""
    if findings := audit(store).findings:
        sys.exit(f"after {done} interruptions the history is wrong: {findings}")


def _get(queue: ObjectHandle, options: GetMessageOptions) -> None:
    try:
        queue.get(options)
    except MQError as error:
        if error.reason != MQRC.NO_MSG_AVAILABLE:
            raise


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt


def _interrupt_one(work: Callable[[Worker], None], worker: Worker, delay: float) -> bool:
    """Repeat the work until it is interrupted after `delay` seconds; return whether a call
    deferred the interrupt.
    """
    try:
        # The timer repeats: Python ignores an exception that a handler raises inside a finalizer.
        signal.setitimer(signal.ITIMER_REAL, max(delay, 1e-6), AGAIN_SECONDS)
        while True:
            work(worker)
    except KeyboardInterrupt as interruption:
        trace = interruption.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_name == "_run_pending":
                return True
            trace = trace.tb_next
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _left_behind(store: Store, connection: Connection, program: Player) -> list[str]:
    """Return descriptions of everything still held although no call is in progress."""
    path = store.path
    assert path is not None
    held: dict[str, object] = {
        f"the depth {interruptions.main_thread.depth}": interruptions.main_thread.depth,
        "a signal that was not handled": interruptions.main_thread.pending,
        "the call lock": connection._calling.locked(),
        "a watcher": store.change_watch._watcher is not None,
    }
    left = [what for what, is_held in held.items() if is_held]
    folder = folder_beside(path)
    for lock in (
        LockFile(folder / "writer"),
        LockFile(folder / "next-writer"),
        LockFile(Path(f"{path}.recovery")),
    ):
        if not lock.acquire():
            left.append(f"the lock {lock._path.name}")
        lock.close()
    with closing(sqlite_library().connect(path, isolation_level=None, timeout=0)) as other:
        try:
            other.execute("BEGIN IMMEDIATE")
            other.execute("ROLLBACK")
        except sqlite_library().OperationalError as error:
            left.append(f"a transaction ({error})")
        # The checkpoint reports "busy" while a read transaction is open.
        if other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            left.append("a read transaction")
    program.tell("put elsewhere R")
    if (answer := program.line()) != "done":
        left.append(f"something that another process waits for ({answer})")
    gc.collect()
    store.recover()
    with Reading(store.database) as reading:
        rows = [row.application for row in connections.of_process(reading, store.process)]
    if rows != ["interrupted"]:
        left.append(f"connections {rows}")
    return left
