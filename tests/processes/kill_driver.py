"""Kills programs at random moments and checks that no acknowledged persistent message is lost or delivered twice.

Run as a program: `python kill_driver.py FOLDER --kills 500 --seed 1`. It exits 0 and prints a line of figures when the
promise held, else 1 with what broke it and the seed. The journal of what was acknowledged lies outside the store.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, count
from pathlib import Path
from typing import NoReturn

from sqlalchemy import text

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from store import (
    GetMessageOptions,
    Message,
    MessageDescriptor,
    MQError,
    PutMessageOptions,
    open_store,
)
from store.admin import create
from store.catalog import KINDS
from store.constants import MQGMO, MQOO, MQPMO
from store.database import Reading
from store.handle import ObjectHandle
from store.statement import Statement

WORKERS = 3
NO_MESSAGE = 2033
Queues = dict[str, ObjectHandle]
FIRST, SECOND = "FIRST", "SECOND"


class Broken(Exception):
    """The promise did not hold."""


@dataclass
class Unit:
    """A unit of work as the journal has it: tokens put and got by queue, and whether its commit was acknowledged."""

    puts: list[tuple[str, str]] = field(default_factory=list)
    gets: list[tuple[str, str]] = field(default_factory=list)
    acknowledged: bool = False


class Journal:
    """What one worker intends and what was acknowledged to it; every line is with the kernel before work goes on."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)

    def intend(self, unit: Unit) -> None:
        """The commit of `unit` is about to be asked for."""
        said = [f"P{queue}={token}" for queue, token in unit.puts] + [f"G{queue}={token}" for queue, token in unit.gets]
        self._write("I " + " ".join(said))

    def acknowledge(self) -> None:
        """The commit returned."""
        self._write("A")

    def _write(self, line: str) -> None:
        os.write(self._file, (line + "\n").encode())


def read_journal(path: Path) -> list[Unit]:
    """The units of one worker; a torn last line was not intended yet."""
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


def work(url: str, journal: Journal, name: str, chance: random.Random) -> NoReturn:
    """Put, move between the queues, consume and back out until killed."""
    store = open_store(url)
    connection = store.queue_manager("QM1").connect(application=name)
    options = MQOO.INPUT_SHARED | MQOO.OUTPUT
    queues = {name: connection.open(name, options) for name in (FIRST, SECOND)}
    tokens = (f"{name}.{number}" for number in count())
    while True:
        unit = Unit()
        for _ in range(chance.randrange(1, 6)):
            chance.choice(STEPS)(queues, unit, tokens, chance)
        if chance.randrange(5) == 0:
            connection.back()
            continue
        journal.intend(unit)
        connection.commit()
        journal.acknowledge()
        if chance.randrange(4) == 0:
            token = next(tokens)
            journal.intend(Unit(puts=[(FIRST, token)]))
            queues[FIRST].put(_message(token, chance))
            journal.acknowledge()


def _produce(queues: Queues, unit: Unit, tokens: Iterator[str], chance: random.Random) -> None:
    token = next(tokens)
    queues[FIRST].put(_message(token, chance), PutMessageOptions(MQPMO.SYNCPOINT))
    unit.puts.append((FIRST, token))


def _move(queues: Queues, unit: Unit, tokens: Iterator[str], chance: random.Random) -> None:
    token = _taken(queues[FIRST])
    if token is not None:
        queues[SECOND].put(_message(token, chance), PutMessageOptions(MQPMO.SYNCPOINT))
        unit.gets.append((FIRST, token))
        unit.puts.append((SECOND, token))


def _consume(queues: Queues, unit: Unit, tokens: Iterator[str], chance: random.Random) -> None:
    token = _taken(queues[SECOND])
    if token is not None:
        unit.gets.append((SECOND, token))


STEPS = (_produce, _move, _consume)


def _taken(queue: ObjectHandle) -> str | None:
    try:
        return queue.get(GetMessageOptions(MQGMO.SYNCPOINT)).body.split(b" ")[0].decode()
    except MQError as error:
        if error.reason != NO_MESSAGE:
            raise
        return None


def _message(token: str, chance: random.Random) -> Message:
    body = token.encode() + b" " + b"x" * chance.choice((0, 10, 500, 9000))
    return Message(body, MessageDescriptor(persistence=1))


def expected(units: Iterable[Unit]) -> dict[str, Counter[str]]:
    """What must be on each queue when exactly these units took effect; a token got twice counts as -1."""
    there: dict[str, Counter[str]] = {FIRST: Counter(), SECOND: Counter()}
    for unit in units:
        for queue, token in unit.puts:
            there[queue][token] += 1
        for queue, token in unit.gets:
            there[queue][token] -= 1
    return {queue: Counter({token: n for token, n in found.items() if n}) for queue, found in there.items()}


_BODIES = Statement(text("SELECT body, state FROM message JOIN queue ON queue.id = message.queue WHERE name = :name"))
_COUNTERS = Statement(text("SELECT depth FROM queue WHERE name = :name"))
_INTEGRITY = Statement(text("PRAGMA integrity_check"))


def check(url: str, units: Sequence[Unit]) -> int:
    """Recover, then compare what is on the queues with the journal; how many messages there are. Raises Broken."""
    with open_store(url) as store:
        store.recover()
        with Reading(store.database) as reading:
            observed: dict[str, Counter[str]] = {}
            for name in (FIRST, SECOND):
                rows = reading.all(_BODIES, {"name": name})
                if any(state for _, state in rows):
                    raise Broken(f"{name} still holds messages of a unit of work after recovery")
                observed[name] = Counter(body.split(b" ")[0].decode() for body, _ in rows)
                depth = reading.value(_COUNTERS, {"name": name})
                if depth != len(rows):
                    raise Broken(f"CURDEPTH of {name} is {depth}, it holds {len(rows)}")
            verdict = reading.value(_INTEGRITY)
    if verdict != "ok":
        raise Broken(f"integrity check: {verdict}")
    _compare(observed, units)
    return sum(sum(found.values()) for found in observed.values())


def _compare(observed: dict[str, Counter[str]], units: Sequence[Unit]) -> None:
    certain = [unit for unit in units if unit.acknowledged]
    doubtful = [unit for unit in units if not unit.acknowledged]
    for size in range(len(doubtful) + 1):
        for applied in combinations(doubtful, size):
            if expected([*certain, *applied]) == observed:
                for unit in doubtful:
                    unit.acknowledged = unit in applied
                for unit in [unit for unit in doubtful if unit not in applied]:
                    unit.puts.clear()
                    unit.gets.clear()
                return
    wanted = expected(certain)
    raise Broken(f"no reading of {len(doubtful)} units in doubt explains the queues: {_difference(wanted, observed)}")


def _difference(wanted: dict[str, Counter[str]], observed: dict[str, Counter[str]]) -> str:
    told = []
    for queue in wanted:
        lost, extra = wanted[queue] - observed[queue], observed[queue] - wanted[queue]
        told.append(f"{queue}: missing {list(lost)[:5]}, too many {list(extra)[:5]}")
    return "; ".join(told)


def run(folder: Path, kills: int, seed: int) -> str:
    """Rounds of workers that are killed, each followed by a check; a line of figures."""
    chance = random.Random(seed)
    url = f"sqlite:///{folder / 'killed.db'}"
    with open_store(url) as store:
        qmgr = store.create_queue_manager("QM1")
        for name in (FIRST, SECOND):
            create(qmgr, KINDS["QLOCAL"], name, {"MAXDEPTH": 999_999})
    killed, rounds, units = 0, 0, []
    while killed < kills:
        rounds += 1
        paths = [folder / f"journal.{rounds}.{worker}" for worker in range(WORKERS)]
        workers = [_start(url, path, f"{rounds}-{number}", chance.random()) for number, path in enumerate(paths)]
        for number in workers:
            time.sleep(chance.uniform(0.01, 0.1))
            os.kill(number, signal.SIGKILL)
            killed += 1
        for number in workers:
            _, status = os.waitpid(number, 0)
            if not os.WIFSIGNALED(status):
                raise Broken(f"a worker ended by itself with status {status}")
        units += [unit for path in paths if path.exists() for unit in read_journal(path)]
        left = check(url, units)
    done = sum(unit.acknowledged for unit in units)
    return f"{killed} kills in {rounds} rounds, {done} units of work, {left} messages left, seed {seed}: held"


def _start(url: str, journal: Path, name: str, seed: float) -> int:
    """Fork a worker; the parent has no store open then, so nothing is shared with it."""
    number = os.fork()
    if number == 0:
        try:
            work(url, Journal(journal), name, random.Random(seed))
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    return number


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=None)
    chosen = parser.parse_args()
    seed = chosen.seed if chosen.seed is not None else random.SystemRandom().randrange(1 << 32)
    try:
        print(run(chosen.folder, chosen.kills, seed))
    except Broken as broken:
        print(f"seed {seed}: {broken}")
        sys.exit(1)


if __name__ == "__main__":
    main()
