"""Shared queues: a put and a get compared with those of a private queue, and four members compared with one.

    python -m tests.benchmarks.sharing_benchmark [--calls 300] [--rounds 21] [--seconds 2]

Prints the median ratio of a shared queue's speed to that of a private one (at least 0.9 is wanted for a put), and the
throughput of four members that put and get on one shared queue / that of one of them (at least 0.8 is wanted).
"""

from __future__ import annotations

import tempfile
import time
from functools import partial
from statistics import median

import mqsc
from store import Message, MessageDescriptor, ObjectHandle, Store, open_store
from store.constants import MQOO
from tests.benchmarks.bare import BODY
from tests.benchmarks.measuring import Pipe, compare_each, options, turn, workers

MEMBERS = ("QM1", "QM2", "QM3", "QM4")
WAITING = 1000
OBJECTS = """
    DEFINE CFSTRUCT(APPL1) CFLEVEL(5) RECOVER(YES)
    DEFINE QLOCAL(SHARED) QSGDISP(SHARED) CFSTRUCT(APPL1) MAXDEPTH(999999999)
    DEFINE QLOCAL(PRIVATE) MAXDEPTH(999999999)
"""


def group(store: Store) -> None:
    """Make a group of four members with a shared queue, and a private queue of the first."""
    for name in MEMBERS:
        store.create_queue_manager(name, group="QSG1")
    mqsc.run(store.queue_manager(MEMBERS[0]), OBJECTS, check=True)


def opened(store: Store, member: str, queue: str) -> ObjectHandle:
    """Open a queue on a member."""
    connection = store.queue_manager(member).connect()
    return connection.open(queue, MQOO.OUTPUT | MQOO.INPUT_SHARED)


def beside_private(calls: int, rounds: int) -> None:
    """Print how fast a shared queue is beside a private one."""
    with tempfile.TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/store.db") as store:
        group(store)
        shared, private = opened(store, MEMBERS[0], "SHARED"), opened(store, MEMBERS[0], "PRIVATE")
        for persistence, kind in ((0, "non-persistent"), (1, "persistent")):
            message = Message(BODY, MessageDescriptor(persistence=persistence))
            puts = partial(shared.put, message), partial(private.put, message)
            for call, (ours, theirs) in (("put", puts), ("get", (shared.get, private.get))):
                compare_each(f"{call}, {kind}, shared / private", rounds, calls, ours, theirs, beside="private")


def work(path: str, member: str, orders: Pipe) -> None:
    """Run in a child process: put and get on a member for the seconds received, then send back how many calls."""
    with open_store(f"sqlite:///{path}") as store:
        handle = opened(store, member, "SHARED")
        while seconds := orders.recv():
            done, end = 0, time.perf_counter() + seconds
            while time.perf_counter() < end:
                handle.put(Message(BODY))
                handle.get()
                done += 2
            orders.send(done)


def together(seconds: float, rounds: int) -> float:
    """Return (throughput of four members on one queue / throughput of one)."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/store.db"
        with open_store(f"sqlite:///{path}") as store:
            group(store)
            opened(store, MEMBERS[0], "SHARED").put([Message(BODY)] * WAITING)
        with workers(work, [(path, member) for member in MEMBERS]) as pipes:
            turn(pipes, seconds / 4)
            pairs = [(sum(turn(pipes[:1], seconds)), sum(turn(pipes, seconds))) for _ in range(rounds)]
    ratios = sorted(four / one for one, four in pairs)
    print(f"four members / one: {median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})", flush=True)
    return float(median(ratios))


if __name__ == "__main__":
    chosen = options(__doc__, calls=300, rounds=21, seconds=2.0)
    beside_private(chosen.calls, chosen.rounds)
    together(chosen.seconds, 7)
