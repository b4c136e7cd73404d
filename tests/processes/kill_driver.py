"""Kills programs at random moments and checks that no acknowledged persistent message is lost or delivered twice.

Each worker repeats units of work of one kind until it is killed. The journals of acknowledged units are kept outside
the store.
"""

from __future__ import annotations

import random
import signal
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import NoReturn

from store import GetMessageOptions, Message, MessageDescriptor, MQError, PutMessageOptions, open_store
from store.admin.defining import create
from store.admin.expiry import refresh_expiry
from store.catalog import KINDS
from store.client.api import QueueManager, Store
from store.constants import MQGMO, MQOO, MQPMO, MQRC
from tests.processes.campaign import Victim, kill_each
from tests.processes.kill_ledger import (
    BULK,
    FIRST,
    INIT,
    QUEUES,
    SECOND,
    SHORT_LIVED,
    TRIGGERED,
    Journal,
    Ledger,
    Unit,
    read_journal,
)
from tests.processes.programs import Program
from tests.store.admin.looking import queue_row

WORKERS = 3
LONGEST_LIFE_SECONDS = 0.1
# An integrity check reads the whole file, which grows. Damage is permanent, so a later check still finds it.
ROUNDS_PER_INTEGRITY_CHECK = 10
TRIGGERED_AT_MOST = 2000
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
            if error.reason != MQRC.NO_MSG_AVAILABLE:
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
    print("ready")
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


def attend(url: str) -> NoReturn:
    """Keep the initiation queue open, as a trigger monitor does."""
    connection = open_store(url).queue_manager("QM1").connect(application="monitor")
    connection.open(INIT, MQOO.INPUT_SHARED)
    print("open")
    while True:
        signal.pause()


def run(folder: Path, kills: int, seed: int) -> str:
    """Run rounds in which workers are killed, with a check after each; return a summary line."""
    chance, ledger, killed = random.Random(seed), Ledger(), Counter[str]()
    url = f"sqlite:///{folder / 'killed.db'}"
    with open_store(url) as store:
        prepare(store.create_queue_manager("QM1"))
    with Program(attend, url) as monitor:
        assert monitor.line() == "open"
        for rounds in count(1):
            killed += _round(folder, url, rounds, chance)
            thoroughly = rounds % ROUNDS_PER_INTEGRITY_CHECK == 0 or killed.total() >= kills
            _check(folder, url, ledger, thoroughly=thoroughly)
            if killed.total() >= kills:
                break
    kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(killed.items()))
    return f"{rounds} rounds of kills ({kinds}), {ledger.done} units of work, {ledger.left()} messages left"


def _round(folder: Path, url: str, rounds: int, chance: random.Random) -> Counter[str]:
    """Start workers and kill each; return how many of each kind."""
    kinds = [chance.choice(list(KINDS_OF_WORK)) for _ in range(WORKERS)]
    workers = [
        Program(work, url, folder / f"journal.{number}", f"{rounds}-{number}", kind, chance.random())
        for number, kind in enumerate(kinds)
    ]
    kill_each([Victim(each, LONGEST_LIFE_SECONDS) for each in workers], chance)
    return Counter(kinds)


def _check(folder: Path, url: str, ledger: Ledger, *, thoroughly: bool) -> None:
    """Recover the store, and compare it with the journals of this round."""
    units = []
    for path in sorted(folder.glob("journal.*")):
        units += read_journal(path)
        path.unlink()
    with open_store(url) as store:
        store.recover()
        ledger.check(store, units, thoroughly=thoroughly)
        _drain(store, ledger)


def _drain(store: Store, ledger: Ledger) -> None:
    """Empty TRIGGERED and the initiation queue once they hold more than TRIGGERED_AT_MOST messages."""
    depth = queue_row(store.queue_manager("QM1"), INIT).depth
    if depth > TRIGGERED_AT_MOST:
        with store.queue_manager("QM1").connect() as connection:
            for queue in [connection.open(name, MQOO.INPUT_SHARED) for name in (INIT, TRIGGERED)]:
                for _ in range(depth):
                    queue.get()
        ledger.drained(TRIGGERED)
