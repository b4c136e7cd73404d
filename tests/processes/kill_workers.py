"""The workers that will be killed: each repeats units of work of one kind until then."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import NoReturn

from store import GetMessageOptions, Message, MessageDescriptor, MQError, PutMessageOptions, open_store
from store.admin.defining import create
from store.admin.expiry import refresh_expiry
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQGMO, MQOO, MQPMO
from tests.processes.kill_journal import Journal, Unit

NO_MESSAGE = 2033
FIRST, SECOND, BULK, TRIGGERED, INIT, SHORT_LIVED = "FIRST", "SECOND", "BULK", "TRIGGERED", "INIT", "SHORT.LIVED"
QUEUES = (FIRST, SECOND, BULK, TRIGGERED, SHORT_LIVED)
# Every put makes a trigger message in the same unit of work, so both queues must hold equally many messages.
EVERY_PUT = {"TRIGGER": "TRIGGER", "TRIGTYPE": "EVERY", "INITQ": INIT, "PROCESS": "PROCESS"}
UNIT_OF_MANY = 500
SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)


def prepare(qmgr: QueueManager) -> None:
    """Create the process and the queues."""
    create(qmgr, KINDS["PROCESS"], "PROCESS", {})
    for name in (*QUEUES, INIT):
        more = EVERY_PUT if name == TRIGGERED else {}
        create(qmgr, KINDS["QLOCAL"], name, {"MAXDEPTH": 999_999, **more})


class Worker:
    """A connection with its handles, and the journal of its units of work."""

    def __init__(self, url: str, journal: Path, name: str, chance: random.Random) -> None:
        self.qmgr = open_store(url).queue_manager("QM1")
        self.connection = self.qmgr.connect(application=name)
        options = MQOO.INPUT_SHARED | MQOO.OUTPUT
        # TRIGGERED is never open for input: closing it could also make a trigger message.
        self.queues = {each: self.connection.open(each, options) for each in QUEUES if each != TRIGGERED}
        self.queues[TRIGGERED] = self.connection.open(TRIGGERED, MQOO.OUTPUT)
        self.chance = chance
        self.unit = Unit()
        self._tokens = (f"{name}.{number}" for number in count())
        # Created last: the file signals that the worker is ready.
        self._journal = Journal(journal)

    def message(self, token: str, expiry: int = -1) -> Message:
        """Return a persistent message of random length; the token is also its MsgId."""
        body = token.encode() + b" " + b"x" * self.chance.choice((0, 10, 500, 9000))
        return Message(body, MessageDescriptor(persistence=1, msg_id=token.encode(), expiry=expiry))

    def new(self, number: int) -> list[str]:
        """Return unused tokens."""
        return [next(self._tokens) for _ in range(number)]

    def put(self, queue: str, *tokens: str) -> None:
        self.queues[queue].put([self.message(token) for token in tokens], SYNCPOINT)
        self.unit.puts += [(queue, token) for token in tokens]

    def get(self, queue: str, options: int = 0) -> str | None:
        """Get under syncpoint; return the token, or None if the queue is empty."""
        try:
            message = self.queues[queue].get(GetMessageOptions(options | MQGMO.SYNCPOINT))
        except MQError as error:
            if error.reason != NO_MESSAGE:
                raise
            return None
        token = message.body.split(b" ")[0].decode()
        self.unit.gets.append((queue, token))
        return token

    def commit(self) -> None:
        """Commit the unit of work, with journal entries."""
        self.made_final(self.unit, self.connection.commit)
        self.unit = Unit()

    def made_final(self, unit: Unit, call: Callable[[], object]) -> None:
        """Make the call that makes `unit` final, with journal entries before and after it."""
        self._journal.intend(unit)
        call()
        self._journal.acknowledge()

    def back(self) -> None:
        self.connection.back()
        self.unit = Unit()


def work(url: str, journal: Path, name: str, kind: str, seed: float) -> NoReturn:
    """Repeat units of work of one kind until killed."""
    worker = Worker(url, journal, name, random.Random(seed))
    while True:
        KINDS_OF_WORK[kind](worker)


def _produce(worker: Worker) -> None:
    worker.put(FIRST, *worker.new(1))


def _move(worker: Worker) -> None:
    token = worker.get(FIRST)
    if token is not None:
        worker.put(SECOND, token)


def _consume(worker: Worker) -> None:
    worker.get(SECOND)


def _few(worker: Worker) -> None:
    """Put, move and consume a few messages in a unit of work that ends either way; sometimes put without a unit."""
    for _ in range(worker.chance.randrange(1, 6)):
        worker.chance.choice((_produce, _move, _consume))(worker)
    if worker.chance.randrange(5) == 0:
        worker.back()
        return
    worker.commit()
    if worker.chance.randrange(4) == 0:
        (token,) = worker.new(1)
        worker.made_final(Unit(puts=[(FIRST, token)]), lambda: worker.queues[FIRST].put(worker.message(token)))


def _many(worker: Worker) -> None:
    """Put or get 500 messages in a unit of work."""
    token = worker.get(BULK)
    if token is None:
        worker.put(BULK, *worker.new(UNIT_OF_MANY))
    while token is not None and len(worker.unit.gets) < UNIT_OF_MANY:
        token = worker.get(BULK)
    worker.commit()


def _skip_backout(worker: Worker) -> None:
    """Back out a unit with a message that is marked to skip backout, and move that message in the next unit."""
    worker.put(SECOND, *worker.new(3))
    marked = worker.get(FIRST, MQGMO.MARK_SKIP_BACKOUT)
    worker.get(FIRST)
    worker.get(SECOND)
    worker.back()
    if marked is None:
        worker.put(FIRST, *worker.new(5))
    else:
        worker.unit.gets.append((FIRST, marked))
        worker.put(SECOND, marked)
    worker.commit()


def _trigger(worker: Worker) -> None:
    """Put messages that make trigger messages."""
    worker.put(TRIGGERED, *worker.new(worker.chance.randrange(1, 8)))
    if worker.chance.randrange(4) == 0:
        worker.back()
    else:
        worker.commit()


def _expire(worker: Worker) -> None:
    """Put messages that expire soon, and run expiry scans."""
    tokens = worker.new(worker.chance.randrange(1, 100))
    letters = [worker.message(token, expiry=worker.chance.randrange(1, 3)) for token in tokens]
    puts = [(SHORT_LIVED, token) for token in tokens]
    worker.made_final(Unit(puts=puts), lambda: worker.queues[SHORT_LIVED].put(letters))
    for _ in range(worker.chance.randrange(5)):
        refresh_expiry(worker.qmgr, "S*")


KINDS_OF_WORK: dict[str, Callable[[Worker], None]] = {
    "few": _few,
    "many": _many,
    "skip backout": _skip_backout,
    "trigger": _trigger,
    "expire": _expire,
}


def attend(url: str, ready: int) -> NoReturn:
    """Keep the initiation queue open, as a trigger monitor does; write a byte to `ready` once it is open."""
    connection = open_store(url).queue_manager("QM1").connect(application="monitor")
    connection.open(INIT, MQOO.INPUT_SHARED)
    os.write(ready, b".")
    while True:
        signal.pause()
