"""Kills programs at random moments and checks that no acknowledged persistent message is lost or
delivered twice.

Each worker repeats units of work of one kind until it is killed. The journals of acknowledged units
are kept outside the store.
"""

from __future__ import annotations

import os
import random
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, count
from pathlib import Path
from typing import NoReturn

from mqsc.store import (
    GetMessageOptions,
    Message,
    MessageDescriptor,
    MQError,
    PutMessageOptions,
    open_store,
)
from mqsc.store.admin.defining import create
from mqsc.store.admin.expiry import refresh_expiry
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQGMO, MQOO, MQPMO, MQRC
from mqsc.store.past.audit import audit
from mqsc.store.sqlite.database import Reading
from tests.processes.campaign import Broken, Victim, kill_each
from tests.processes.programs import Program, is_whole
from tests.store.admin.looking import queue_row

FIRST, SECOND, BULK, TRIGGERED, INIT, SHORT_LIVED = (
    "FIRST",
    "SECOND",
    "BULK",
    "TRIGGERED",
    "INIT",
    "SHORT.LIVED",
)
QUEUES = (FIRST, SECOND, BULK, TRIGGERED, SHORT_LIVED)
Contents = dict[str, Counter[str]]
# A queue and a token. The data of every message begins with a unique token.
Place = tuple[str, str]
_ROWS = (
    "SELECT substr(body, 1, 32), state FROM message JOIN queue ON queue.id = queue WHERE name = "
    ":name"
)
_DEPTH = "SELECT depth FROM queue WHERE name = :name"
_EXPIRED = "SELECT seq, msg_id FROM event WHERE kind = 'EXPIRE' AND seq > :seq ORDER BY seq"
_CONNECTED = "SELECT count(*) FROM connection WHERE application != 'monitor'"
_HANDLES = "SELECT sum(input_handles + output_handles) FROM queue_member"


@dataclass
class Unit:
    """A unit of work in the journal: tokens put and got by queue, and whether the final call
    returned.
    """

    puts: list[Place] = field(default_factory=list)
    gets: list[Place] = field(default_factory=list)
    acknowledged: bool = False


class Journal:
    """Writes each line with one write(), so that it survives the process being killed."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)

    def intend(self, unit: Unit) -> None:
        """Record that the call that makes `unit` final is about to be made."""
        said = [f"P{queue}={token}" for queue, token in unit.puts] + [
            f"G{queue}={token}" for queue, token in unit.gets
        ]
        self._write("I " + " ".join(said))

    def acknowledge(self) -> None:
        self._write("A")

    def _write(self, line: str) -> None:
        os.write(self._file, (line + "\n").encode())


def read_journal(path: Path) -> list[Unit]:
    """Read the units of one worker. An incomplete last line is ignored: its call was not made."""
    units: list[Unit] = []
    for line in path.read_text().split("\n")[:-1]:
        if line == "A":
            units[-1].acknowledged = True
            continue
        unit = Unit()
        for word in line[2:].split():
            queue, token = word[1:].split("=")
            (unit.puts if word[0] == "P" else unit.gets).append((queue, token))
        units.append(unit)
    return units


class Ledger:
    """The expected contents: of all units of work that were acknowledged, or were observed to
    have taken effect.
    """

    def __init__(self) -> None:
        self.done = 0
        self._there: Contents = {name: Counter() for name in QUEUES}
        self._expired_up_to = 0

    def check(self, store: Store, units: Sequence[Unit], *, thoroughly: bool) -> None:
        """Compare a recovered store with the ledger and the units of the last round. Raises
        Broken.
        """
        with Reading(store.database) as reading:
            observed = {name: _contents(reading, name) for name in QUEUES}
            triggers = _contents(reading, INIT).total()
            self._expire(reading)
            if reading.value(_CONNECTED):
                raise Broken("connections of killed programs are left after recovery")
            if reading.value(_HANDLES) != 1:
                raise Broken(
                    f"{reading.value(_HANDLES)} handles are counted; the monitor alone has one",
                )
        if thoroughly and not is_whole(store):
            raise Broken("the integrity check finds damage")
        findings = audit(store).findings if thoroughly else []
        if findings:
            raise Broken(f"the history does not account for every message: {findings[:3]}")
        if triggers != observed[TRIGGERED].total():
            raise Broken(f"{observed[TRIGGERED].total()} messages made {triggers} trigger messages")
        self._settle(observed, units)

    def drained(self, queue: str) -> None:
        self._there[queue].clear()

    def left(self) -> int:
        """Return the number of messages that the ledger expects."""
        return sum(found.total() for found in self._there.values())

    def _expire(self, reading: Reading) -> None:
        """Count each expired message as got; it expires once."""
        for seq, msg_id in reading.all(_EXPIRED, {"seq": self._expired_up_to}):
            self._there[SHORT_LIVED][msg_id.rstrip(b"\0").decode()] -= 1
            self._expired_up_to = seq

    def _settle(self, observed: Contents, units: Sequence[Unit]) -> None:
        """Find unacknowledged units that explain the contents if they took effect; raise Broken
        if there are none.
        """
        for unit in units:
            if unit.acknowledged:
                self._apply(unit)
        doubtful = [unit for unit in units if not unit.acknowledged]
        for size in range(len(doubtful) + 1):
            for applied in combinations(doubtful, size):
                if self._with(applied) == observed:
                    for unit in applied:
                        self._apply(unit)
                    # Drops the tokens that have been put and got.
                    self._there = {name: Counter(dict(found)) for name, found in observed.items()}
                    return
        raise Broken(
            f"no reading of {len(doubtful)} units in doubt explains the queues: "
            f"{_difference(self._with(()), observed)}",
        )

    def _apply(self, unit: Unit) -> None:
        self.done += 1
        _add(self._there, unit)

    def _with(self, units: Iterable[Unit]) -> Contents:
        there = {name: Counter(found) for name, found in self._there.items()}
        for unit in units:
            _add(there, unit)
        return {
            name: Counter({token: n for token, n in found.items() if n})
            for name, found in there.items()
        }


def _add(there: Contents, unit: Unit) -> None:
    """Add a unit. A token that is got twice counts as -1."""
    for queue, token in unit.puts:
        there[queue][token] += 1
    for queue, token in unit.gets:
        there[queue][token] -= 1


def _contents(reading: Reading, queue: str) -> Counter[str]:
    rows = reading.all(_ROWS, {"name": queue})
    if any(state for _, state in rows):
        raise Broken(f"{queue} still holds messages of a unit of work after recovery")
    depth = reading.value(_DEPTH, {"name": queue})
    if depth != len(rows):
        raise Broken(f"CURDEPTH of {queue} is {depth}, it holds {len(rows)}")
    return Counter(body.split(b" ")[0].decode() for body, _ in rows)


def _difference(wanted: Contents, observed: Contents) -> str:
    told = []
    for queue in wanted:
        lost, extra = wanted[queue] - observed[queue], observed[queue] - wanted[queue]
        if lost or extra:
            told.append(f"{queue}: missing {list(lost)[:5]}, too many {list(extra)[:5]}")
    return "; ".join(told)


WORKERS = 3
LONGEST_LIFE_SECONDS = 0.1
# An integrity check reads the whole file, which grows. Damage is permanent, so a later check still
# finds it.
ROUNDS_PER_INTEGRITY_CHECK = 10
TRIGGERED_AT_MOST = 2000
# Every put makes a trigger message in the same unit of work, so both queues must hold equally many
# messages.
EVERY_PUT = {"TRIGGER": "TRIGGER", "TRIGTYPE": "EVERY", "INITQ": INIT, "PROCESS": "PROCESS"}
UNIT_OF_MANY = 500
SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)


def prepare(qmgr: QueueManager) -> None:
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
        self.queues = {
            each: self.connection.open(each, options) for each in QUEUES if each != TRIGGERED
        }
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
        return [next(self._tokens) for _ in range(number)]

    def put(self, queue: str, *tokens: str) -> None:
        self.queues[queue].put([self.message(token) for token in tokens], SYNCPOINT)
        self.unit.puts += [(queue, token) for token in tokens]

    def get(self, queue: str, options: int = 0, most: int = 1) -> str | None:
        """Get up to `most` messages under syncpoint; return the last token, or None if the queue
        is empty.
        """
        try:
            messages = self.queues[queue].get_many(
                most,
                GetMessageOptions(options | MQGMO.SYNCPOINT),
            )
        except MQError as error:
            if error.reason != MQRC.NO_MSG_AVAILABLE:
                raise
            return None
        tokens = [message.body.split(b" ")[0].decode() for message in messages]
        self.unit.gets += [(queue, token) for token in tokens]
        return tokens[-1]

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
    """Put, move and consume a few messages in a unit of work that ends either way; sometimes put
    without a unit.
    """
    for _ in range(worker.chance.randrange(1, 6)):
        worker.chance.choice((_produce, _move, _consume))(worker)
    if worker.chance.randrange(5) == 0:
        worker.back()
        return
    worker.commit()
    if worker.chance.randrange(4) == 0:
        (token,) = worker.new(1)
        worker.made_final(
            Unit(puts=[(FIRST, token)]),
            lambda: worker.queues[FIRST].put(worker.message(token)),
        )


def _many(worker: Worker) -> None:
    """Put or get about 500 messages in a unit of work, one by one or in lists."""
    most = worker.chance.choice((1, 7, 200))
    token = worker.get(BULK, most=most)
    if token is None:
        worker.put(BULK, *worker.new(UNIT_OF_MANY))
    while token is not None and len(worker.unit.gets) < UNIT_OF_MANY:
        token = worker.get(BULK, most=most)
    worker.commit()


def _skip_backout(worker: Worker) -> None:
    """Back out a unit with a message that is marked to skip backout, and move that message in
    the next unit.
    """
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
    return (
        f"{rounds} rounds of kills ({kinds}), {ledger.done} units of work, {ledger.left()} "
        "messages left"
    )


def _round(folder: Path, url: str, rounds: int, chance: random.Random) -> Counter[str]:
    """Start workers and kill each; return how many of each kind."""
    kinds = [chance.choice(list(KINDS_OF_WORK)) for _ in range(WORKERS)]
    workers = [
        Program(
            work,
            url,
            folder / f"journal.{number}",
            f"{rounds}-{number}",
            kind,
            chance.random(),
        )
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
    """Empty TRIGGERED and the initiation queue once they hold more than TRIGGERED_AT_MOST
    messages.
    """
    depth = queue_row(store.queue_manager("QM1"), INIT).depth
    if depth > TRIGGERED_AT_MOST:
        with store.queue_manager("QM1").connect() as connection:
            for queue in [connection.open(name, MQOO.INPUT_SHARED) for name in (INIT, TRIGGERED)]:
                for _ in range(depth):
                    queue.get()
        ledger.drained(TRIGGERED)
