"""Kills programs at random moments and checks that no acknowledged persistent message is lost or delivered twice.

Run as a program: `python -m tests.processes.kill_driver FOLDER --kills 500 --seed 1`. Exits with 0 and a summary
line, or with 1, the violation, and the seed. The journals of acknowledged units are kept outside the store.
"""

from __future__ import annotations

import os
import random
import signal
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from store import open_store
from store.client.api import Store
from store.constants import MQOO
from tests.processes.campaign import Broken, Victim, at_once, command_line, kill_each
from tests.processes.kill_journal import read_journal
from tests.processes.kill_ledger import Ledger
from tests.processes.kill_workers import INIT, KINDS_OF_WORK, TRIGGERED, attend, prepare, work

WORKERS = 3
# The share of workers that are killed only once they have begun to work; the others at any moment after their start.
AT_WORK = 0.8
LONGEST_LIFE_SECONDS = 0.1
# An integrity check reads the whole file, which grows. Damage is permanent, so a later check still finds it.
ROUNDS_PER_INTEGRITY_CHECK = 10
TRIGGERED_AT_MOST = 2000


def run(folder: Path, kills: int, seed: int) -> str:
    """Run rounds in which workers are killed, with a check after each; return a summary line."""
    chance = random.Random(seed)
    url = f"sqlite:///{folder / 'killed.db'}"
    with open_store(url) as store:
        prepare(store.create_queue_manager("QM1"))
    monitor = _start_monitor(url)
    ledger, killed, rounds = Ledger(), Counter[str](), 0
    try:
        while killed.total() < kills:
            rounds += 1
            killed += _round(folder, url, f"{rounds}", chance)
            thoroughly = rounds % ROUNDS_PER_INTEGRITY_CHECK == 0 or killed.total() >= kills
            _check(folder, url, ledger, thoroughly=thoroughly)
    finally:
        os.kill(monitor, signal.SIGKILL)
        os.waitpid(monitor, 0)
    kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(killed.items()))
    return (
        f"{killed.total()} kills in {rounds} rounds ({kinds}), {ledger.done} units of work, {ledger.left()} messages "
        f"left, seed {seed}: held"
    )


def _round(folder: Path, url: str, name: str, chance: random.Random) -> Counter[str]:
    """Start workers and kill each; return how many of each kind."""
    kinds = [chance.choice(list(KINDS_OF_WORK)) for _ in range(WORKERS)]
    journals = [folder / f"journal.{number}" for number in range(WORKERS)]
    workers = [
        _start(_worker(url, journal, f"{name}-{number}", kinds[number], chance.random()))
        for number, journal in enumerate(journals)
    ]
    kill_each(
        [
            Victim(
                number,
                journal.exists if chance.random() < AT_WORK else at_once,
                chance.uniform(0, LONGEST_LIFE_SECONDS),
            )
            for number, journal in zip(workers, journals, strict=True)
        ]
    )
    for number in workers:
        _, status = os.waitpid(number, 0)
        if not os.WIFSIGNALED(status):
            raise Broken(f"a worker ended by itself with status {status}")
    return Counter(kinds)


def _worker(url: str, journal: Path, name: str, kind: str, seed: float) -> Callable[[], object]:
    return lambda: work(url, journal, name, kind, seed)


def _start_monitor(url: str) -> int:
    """Fork a monitor; it has opened the initiation queue when this returns."""
    reads, writes = os.pipe()
    number = _start(lambda: attend(url, writes))
    os.close(writes)
    if os.read(reads, 1) != b".":
        raise Broken("the monitor ended by itself")
    return number


def _start(program: Callable[[], object]) -> int:
    """Fork a process. The parent has no store open at that time, so they share nothing."""
    number = os.fork()
    if number == 0:
        try:
            program()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    return number


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
    with store.queue_manager("QM1").connect() as connection:
        queues = [connection.open(name, MQOO.INPUT_SHARED | MQOO.INQUIRE) for name in (INIT, TRIGGERED)]
        depths = [queue.inquire(MQIA_CURRENT_Q_DEPTH)[MQIA_CURRENT_Q_DEPTH] for queue in queues]
        if int(depths[0]) > TRIGGERED_AT_MOST:
            for queue in queues:
                for _ in range(int(depths[0])):
                    queue.get()
            ledger.drained(TRIGGERED)


MQIA_CURRENT_Q_DEPTH = 3


if __name__ == "__main__":
    command_line(run, "kills", 500)
