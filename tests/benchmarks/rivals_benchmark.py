"""Put-and-get cycles of the product against other people's queues on SQLite, in one run.

    python tests/benchmarks/rivals_benchmark.py [--waiting 0,1000,5000] [--rounds 15]

A cycle puts a message of 512 bytes and gets the first one; theirs also acknowledge it where they know that. Cycles are
made one by one on a queue on which so many messages wait, and as many puts, then as many gets. Prints the median of our
speed / their speed. Each is compared with our messages of the same durability: litequeue commits without a sync, as
ours does with non-persistent messages; persist-queue syncs every commit, as ours does with persistent ones.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from litequeue import LiteQueue
from persistqueue import FIFOSQLiteQueue, SQLiteAckQueue

from store import Message, MessageDescriptor
from tests.benchmarks.bare import BODY, product
from tests.benchmarks.measuring import compare, each

WAITING = os.environ.get("MQSC_WAITING", "0,1000,5000")
CALLS, ROUNDS = 100, 15
TEXT = BODY.decode()
# What PRAGMA synchronous answers.
NORMAL, FULL = 1, 2


class Rival(NamedTuple):
    """How one of them puts and gets, and what PRAGMA synchronous answers where it does."""

    put: Callable[[], object]
    get: Callable[[], object]
    synchronous: int

    def cycle(self) -> None:
        """A put and a get."""
        self.put()
        self.get()


def lite(folder: Path) -> Rival:
    """litequeue: put, pop, done."""
    queue = LiteQueue(str(folder / "lite.db"))

    return Rival(lambda: queue.put(TEXT), lambda: queue.done(queue.pop().message_id), _synchronous(queue.conn))


def acknowledged(folder: Path) -> Rival:
    """persist-queue's queue with acknowledgement."""
    queue = SQLiteAckQueue(str(folder / "acknowledged"))

    return Rival(lambda: queue.put(BODY), lambda: queue.ack(queue.get(block=False)), _synchronous(queue._putter))


def unacknowledged(folder: Path) -> Rival:
    """persist-queue's plain queue."""
    queue = FIFOSQLiteQueue(str(folder / "plain"), auto_commit=True)

    return Rival(lambda: queue.put(BODY), lambda: queue.get(block=False), _synchronous(queue._putter))


def _synchronous(connection: object) -> int:
    return int(connection.execute("PRAGMA synchronous").fetchone()[0])  # type: ignore[attr-defined]


def ours(folder: Path, persistence: int) -> Rival:
    """The product: put, get, each with its event in the history."""
    handle, _ = product(folder)
    message = Message(BODY, MessageDescriptor(persistence=persistence))

    return Rival(lambda: handle.put(message), handle.get, FULL if persistence else NORMAL)


RIVALS = (
    ("litequeue", lite, 0),
    ("persist-queue, SQLiteAckQueue", acknowledged, 1),
    ("persist-queue, FIFOSQLiteQueue", unacknowledged, 1),
)
# Where ours is ahead: of whom, with how many messages waiting or put before they are got, and of which shape of work.
# On a queue that is always nearly empty it is behind litequeue, one by one it is just behind persist-queue's queue with
# acknowledgement, and it is always behind the plain one, which gives a message away before it is acknowledged.
ONE_BY_ONE, FILLED = 0, 1
AHEAD = (
    ("litequeue", 1000, ONE_BY_ONE),
    ("litequeue", 1000, FILLED),
    ("litequeue", 5000, ONE_BY_ONE),
    ("litequeue", 5000, FILLED),
    ("persist-queue, SQLiteAckQueue", 5000, FILLED),
)


@contextmanager
def pair(make: Callable[[Path], Rival], persistence: int) -> Iterator[tuple[Rival, Rival]]:
    """One of them and the product, both empty."""
    with tempfile.TemporaryDirectory() as folder:
        theirs, mine = make(Path(folder)), ours(Path(folder), persistence)
        # Otherwise one of them promises more than the other.
        assert theirs.synchronous == mine.synchronous
        yield theirs, mine


def one_by_one(name: str, theirs: Rival, mine: Rival, waiting: int, rounds: int) -> float:
    """The ratio of cycles while that many messages wait."""
    for each_queue in (theirs, mine):
        each(waiting, each_queue.put)
    return compare(
        f"{name}, {waiting} waiting",
        rounds,
        CALLS,
        lambda n: each(n, mine.cycle),
        lambda n: each(n, theirs.cycle),
        beside="theirs",
    )


def filled_and_emptied(name: str, theirs: Rival, mine: Rival, depth: int, rounds: int) -> float:
    """The ratio of that many puts followed by as many gets."""

    def work(rival: Rival) -> None:
        each(depth, rival.put)
        each(depth, rival.get)

    return compare(
        f"{name}, {depth} puts, gets", rounds, depth, lambda _: work(mine), lambda _: work(theirs), beside="theirs"
    )


def beside(
    name: str, make: Callable[[Path], Rival], persistence: int, waiting: int, rounds: int = ROUNDS
) -> Iterator[float]:
    """The ratios beside one of them: one by one, and filled and emptied if messages wait."""
    with pair(make, persistence) as (theirs, mine):
        yield one_by_one(name, theirs, mine, waiting, rounds)
    if waiting:
        with pair(make, persistence) as (theirs, mine):
            yield filled_and_emptied(name, theirs, mine, waiting, max(3, rounds // 5))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--waiting", default=WAITING)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    chosen = parser.parse_args()
    for name, make, persistence in RIVALS:
        for waiting in chosen.waiting.split(","):
            list(beside(name, make, persistence, int(waiting), chosen.rounds))


if __name__ == "__main__":
    main()
