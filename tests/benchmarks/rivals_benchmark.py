"""Put-and-get cycles of the product against other people's queues on SQLite, in one run.

    python tests/benchmarks/rivals_benchmark.py [--waiting 0,1000] [--rounds 15]

A cycle puts a message of 512 bytes and gets the first one; theirs also acknowledge it. Prints the median of our speed /
their speed. Each is compared with our messages of the same durability: litequeue commits without a sync, as ours does
with non-persistent messages; persist-queue syncs every commit, as ours does with persistent ones.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from litequeue import LiteQueue
from persistqueue import FIFOSQLiteQueue, SQLiteAckQueue

from store import Message, MessageDescriptor
from tests.benchmarks.bare import BODY, product
from tests.benchmarks.measuring import compare, each

WAITING = os.environ.get("MQSC_WAITING", "0,1000")
CALLS, ROUNDS = 100, 15
TEXT = BODY.decode()
# What PRAGMA synchronous answers.
NORMAL, FULL = 1, 2


class Rival(NamedTuple):
    """How one of them puts and gets; `put` fills the queue, `cycle` is what is measured."""

    put: Callable[[], object]
    cycle: Callable[[], object]
    synchronous: int


def lite(folder: Path) -> Rival:
    """litequeue: put, pop, done."""
    queue = LiteQueue(str(folder / "lite.db"))

    def cycle() -> None:
        queue.put(TEXT)
        queue.done(queue.pop().message_id)

    return Rival(lambda: queue.put(TEXT), cycle, _synchronous(queue.conn))


def acknowledged(folder: Path) -> Rival:
    """persist-queue's queue with acknowledgement."""
    queue = SQLiteAckQueue(str(folder / "acknowledged"))

    def cycle() -> None:
        queue.put(BODY)
        queue.ack(queue.get(block=False))

    return Rival(lambda: queue.put(BODY), cycle, _synchronous(queue._putter))


def unacknowledged(folder: Path) -> Rival:
    """persist-queue's plain queue."""
    queue = FIFOSQLiteQueue(str(folder / "plain"), auto_commit=True)

    def cycle() -> None:
        queue.put(BODY)
        queue.get(block=False)

    return Rival(lambda: queue.put(BODY), cycle, _synchronous(queue._putter))


def _synchronous(connection: object) -> int:
    return int(connection.execute("PRAGMA synchronous").fetchone()[0])  # type: ignore[attr-defined]


def ours(folder: Path, persistence: int) -> Rival:
    """The product: put, get, each with its event in the history."""
    handle, _ = product(folder)
    message = Message(BODY, MessageDescriptor(persistence=persistence))

    def cycle() -> None:
        handle.put(message)
        handle.get()

    return Rival(lambda: handle.put(message), cycle, FULL if persistence else NORMAL)


RIVALS = (
    ("litequeue", lite, 0),
    ("persist-queue, SQLiteAckQueue", acknowledged, 1),
    ("persist-queue, FIFOSQLiteQueue", unacknowledged, 1),
)


def beside(name: str, make: Callable[[Path], Rival], persistence: int, waiting: int, rounds: int) -> float:
    """The ratio beside one of them, with that many messages waiting all the while."""
    with tempfile.TemporaryDirectory() as folder:
        rival, product_ = make(Path(folder)), ours(Path(folder), persistence)
        # Otherwise one of them promises more than the other.
        assert rival.synchronous == product_.synchronous
        for each_queue in (rival, product_):
            each(waiting, each_queue.put)
        return compare(
            f"{name}, {waiting} waiting",
            rounds,
            CALLS,
            lambda n: each(n, product_.cycle),
            lambda n: each(n, rival.cycle),
            beside="theirs",
        )


def ratios(waiting: str, rounds: int = ROUNDS) -> Iterator[float]:
    """Every ratio."""
    for depth in waiting.split(","):
        for name, make, persistence in RIVALS:
            yield beside(name, make, persistence, int(depth), rounds)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--waiting", default=WAITING)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    chosen = parser.parse_args()
    for _ in ratios(chosen.waiting, chosen.rounds):
        pass


if __name__ == "__main__":
    main()
