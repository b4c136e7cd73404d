"""Put-and-get cycles of the product, measured against other queue libraries on SQLite.

    python -m tests.benchmarks.rivals_benchmark [--waiting 0,1000,5000] [--rounds 15]

A cycle puts a message of 512 bytes and gets the first one; the other library also acknowledges it
if it can. Two cases are measured: single cycles on a queue that already holds --waiting messages,
and --waiting puts followed by as many gets. Prints the median of our speed / their speed. Each
library is compared with messages of the same durability: litequeue commits without a sync, like our
non-persistent messages; persist-queue syncs every commit, like our persistent ones.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from litequeue import LiteQueue
from persistqueue import FIFOSQLiteQueue, SQLiteAckQueue

from mqsc.store import Message, MessageDescriptor
from tests.benchmarks.bare import BODY, product
from tests.benchmarks.measuring import compare, compare_each, each, options

WAITING = os.environ.get("MQSC_WAITING", "0,1000,5000")
CALLS, ROUNDS = 100, 15
TEXT = BODY.decode()
# Values of PRAGMA synchronous.
NORMAL, FULL = 1, 2


class Rival(NamedTuple):
    """The put and the get of a queue, and the value of PRAGMA synchronous on its connection."""

    put: Callable[[], object]
    get: Callable[[], object]
    synchronous: int

    def cycle(self) -> None:
        self.put()
        self.get()


def lite(folder: Path) -> Rival:
    queue = LiteQueue(str(folder / "lite.db"))

    return Rival(
        lambda: queue.put(TEXT),
        lambda: queue.done(queue.pop().message_id),
        _synchronous(queue.conn),
    )


def acknowledged(folder: Path) -> Rival:
    queue = SQLiteAckQueue(str(folder / "acknowledged"))

    return Rival(
        lambda: queue.put(BODY),
        lambda: queue.ack(queue.get(block=False)),
        _synchronous(queue._putter),
    )


def unacknowledged(folder: Path) -> Rival:
    queue = FIFOSQLiteQueue(str(folder / "plain"), auto_commit=True)

    return Rival(
        lambda: queue.put(BODY),
        lambda: queue.get(block=False),
        _synchronous(queue._putter),
    )


def _synchronous(connection: object) -> int:
    return int(connection.execute("PRAGMA synchronous").fetchone()[0])  # type: ignore[attr-defined]


def ours(folder: Path, persistence: int) -> Rival:
    """The product: put and get, each recorded in the history."""
    handle, _ = product(folder)
    message = Message(BODY, MessageDescriptor(persistence=persistence))

    return Rival(lambda: handle.put(message), handle.get, FULL if persistence else NORMAL)


RIVALS = (
    ("litequeue", lite, 0),
    ("persist-queue, SQLiteAckQueue", acknowledged, 1),
    ("persist-queue, FIFOSQLiteQueue", unacknowledged, 1),
)
# Where ours is faster: than which library, with how many messages, and in which case. It is slower
# than litequeue on a queue that stays nearly empty, slightly slower than persist-queue's queue with
# acknowledgement in single cycles, and always slower than persist-queue's plain queue, which
# removes a message before it is processed.
ONE_BY_ONE, FILLED = 0, 1
AHEAD = (
    *(("litequeue", number, case) for number in (1000, 5000) for case in (ONE_BY_ONE, FILLED)),
    ("persist-queue, SQLiteAckQueue", 5000, FILLED),
)


@contextmanager
def pair(make: Callable[[Path], Rival], persistence: int) -> Iterator[tuple[Rival, Rival]]:
    """Yield an empty queue of the other library and one of the product."""
    with tempfile.TemporaryDirectory() as folder:
        theirs, mine = make(Path(folder)), ours(Path(folder), persistence)
        # With different sync modes the comparison would be unfair.
        assert theirs.synchronous == mine.synchronous
        yield theirs, mine


def one_by_one(name: str, theirs: Rival, mine: Rival, waiting: int, rounds: int) -> float:
    """Return the ratio of single cycles while `waiting` messages are on the queue."""
    for each_queue in (theirs, mine):
        each(waiting, each_queue.put)
    return compare_each(
        f"{name}, {waiting} waiting",
        rounds,
        CALLS,
        mine.cycle,
        theirs.cycle,
        beside="theirs",
    )


def filled_and_emptied(name: str, theirs: Rival, mine: Rival, depth: int, rounds: int) -> float:
    """Return the ratio of `depth` puts followed by as many gets."""

    def work(rival: Rival) -> None:
        each(depth, rival.put)
        each(depth, rival.get)

    return compare(
        f"{name}, {depth} puts, gets",
        rounds,
        depth,
        lambda _: work(mine),
        lambda _: work(theirs),
        beside="theirs",
    )


def beside(
    name: str,
    make: Callable[[Path], Rival],
    persistence: int,
    waiting: int,
    rounds: int = ROUNDS,
) -> Iterator[float]:
    """Yield the ratios to one library: of single cycles and, unless `waiting` is 0, of filling
    and emptying.
    """
    with pair(make, persistence) as (theirs, mine):
        yield one_by_one(name, theirs, mine, waiting, rounds)
    if waiting:
        with pair(make, persistence) as (theirs, mine):
            yield filled_and_emptied(name, theirs, mine, waiting, max(3, rounds // 5))


if __name__ == "__main__":
    chosen = options(__doc__, waiting=WAITING, rounds=ROUNDS)
    for name, make, persistence in RIVALS:
        for waiting in chosen.waiting.split(","):
            list(beside(name, make, persistence, int(waiting), chosen.rounds))
