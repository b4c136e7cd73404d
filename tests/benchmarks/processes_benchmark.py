"""Several processes on one queue: throughput compared with one process, the longest call, and how
soon a get wakes.

    python -m tests.benchmarks.processes_benchmark [--seconds 2] [--rounds 7]

Each process alternates puts and gets on one queue that holds messages. One process and four
processes run alternately; printed are the median of throughput of four / throughput of one, and how
long the calls of the four took. Then a get waits in another process; printed are the milliseconds
from the end of the committed put until the get returns, and the processor time that waiting takes.
MQSC_SECONDS sets the default of --seconds, the length of one run. Last come shared queues: the
throughput of four members of a queue-sharing group on one of them / that of one member (at least
0.8 is wanted), and the speed of a shared queue / that of a private one (at least 0.9 is wanted for
a put).
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

import mqsc
from mqsc.store import GetMessageOptions, Message, MessageDescriptor, open_store
from mqsc.store.constants import MQGMO
from tests.benchmarks.bare import BODY, QUEUE, opened, product
from tests.benchmarks.measuring import Pipe, compare_each, options, turn, workers

SECONDS = float(os.environ.get("MQSC_SECONDS", "2"))
ROUNDS = 7
PROCESSES = 4
WAITING = 1000
MEMBERS = ("QM1", "QM2", "QM3", "QM4")
OBJECTS = """
    DEFINE CFSTRUCT(APPL1) CFLEVEL(5) RECOVER(YES)
    DEFINE QLOCAL(SHARED) QSGDISP(SHARED) CFSTRUCT(APPL1) MAXDEPTH(999999999)
    DEFINE QLOCAL(PRIVATE) MAXDEPTH(999999999)
"""
# The number of gets that wait, and the WaitInterval of each in milliseconds.
WAKES, PATIENCE = 100, 60_000


class Turn(NamedTuple):
    """The result of one run: calls per second, and the seconds of each call, shortest first."""

    speed: float
    calls: list[float]

    @property
    def longest(self) -> float:
        """The duration of the longest call in milliseconds."""
        return self.calls[-1] * 1000


def work(path: str, persistence: int, qmgr: str, queue: str, orders: Pipe) -> None:
    """Run in a child process: put and get for the seconds received, then send back the duration
    of each call.
    """
    handle = opened(path, qmgr, queue)
    message = Message(BODY, MessageDescriptor(persistence=persistence))
    clock = time.perf_counter
    while seconds := orders.recv():
        taken = []
        began = clock()
        end = began + seconds
        while began < end:
            handle.put(message)
            between = clock()
            handle.get()
            after = clock()
            taken += [between - began, after - between]
            began = after
        orders.send(taken)


def calls_of(pipes: list[Pipe], seconds: float) -> Turn:
    taken = turn(pipes, seconds)
    return Turn(sum(map(len, taken)) / seconds, sorted(call for calls in taken for call in calls))


def turns(
    programs: list[tuple[str, int, str, str]],
    seconds: float,
    rounds: int,
) -> list[tuple[Turn, Turn]]:
    """Let the first of these processes and all of them work in turn; what each has done."""
    with workers(work, programs) as pipes:
        calls_of(pipes, seconds / 4)
        return [(calls_of(pipes[:1], seconds), calls_of(pipes, seconds)) for _ in range(rounds)]


def together(
    persistence: int,
    seconds: float = SECONDS,
    rounds: int = ROUNDS,
) -> tuple[float, float]:
    """Return (throughput of all processes / throughput of one, the longest call of all rounds in
    milliseconds).
    """
    with tempfile.TemporaryDirectory() as folder:
        handle, path = product(Path(folder))
        handle.put([Message(BODY, MessageDescriptor(persistence=persistence))] * WAITING)
        pairs = turns([(path, persistence, "QM1", QUEUE)] * PROCESSES, seconds, rounds)
    ratios = sorted(many.speed / one.speed for one, many in pairs)
    longest = sorted(many.longest for _, many in pairs)
    calls = sorted(call for _, many in pairs for call in many.calls)
    print(
        f"{PROCESSES} processes, {'persistent' if persistence else 'non-persistent'}: "
        f"{median(ratios):.2f} of one "
        f"({ratios[0]:.2f} to {ratios[-1]:.2f}), one {median(one.speed for one, _ in pairs):.0f} "
        "calls/s; "
        f"a call p99 {calls[len(calls) * 99 // 100] * 1000:.1f} ms, longest {longest[-1]:.0f} ms "
        f"(of a turn: median {median(longest):.0f} ms)",
        flush=True,
    )
    return median(ratios), longest[-1]


def wait(path: str, orders: Pipe) -> None:
    """Run in a child process: wait for messages, and send the time of each get and the processor
    time used so far.
    """
    handle = opened(path)
    options = GetMessageOptions(MQGMO.WAIT, wait_interval=PATIENCE)
    orders.send(None)
    while handle.get(options).body != b"":
        # time.monotonic() is the same clock in every process.
        orders.send((time.monotonic(), time.process_time()))


def wake_up(seconds: float = SECONDS) -> tuple[float, float]:
    """Return (95th percentile of the wake-up time of a get in ms, share of a processor that a
    waiting get uses).
    """
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        handle, path = product(Path(folder))
        ours, theirs = context.Pipe()
        waiter = context.Process(target=wait, args=(path, theirs))
        waiter.start()
        ours.recv()
        late, used = [], []
        for number in range(WAKES):
            # Varied, so that puts do not coincide with the polling of the get.
            time.sleep(0.03 + number % 10 * 0.0013)
            handle.put(Message(BODY))
            put_at = time.monotonic()
            got_at, processor = ours.recv()
            late.append((got_at - put_at) * 1000)
            used.append((got_at, processor))
        time.sleep(seconds)
        handle.put(Message(BODY))
        used.append(ours.recv())
        handle.put(Message(b""))
        waiter.join()
    (before, processor_before), (after, processor_after) = used[-2:]
    share = (processor_after - processor_before) / (after - before)
    late.sort()
    soon = late[len(late) * 19 // 20]
    print(
        f"a get that waits in another process woke after {median(late):.1f} ms (p95 {soon:.1f}, "
        "latest "
        f"{late[-1]:.1f} ms) and used {share:.1%} of a processor while it waited",
        flush=True,
    )
    return soon, share


def shared(seconds: float, rounds: int, calls: int) -> None:
    """Print the throughput of four members of a group / that of one, and how fast a shared queue
    is.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/store.db"
        with open_store(f"sqlite:///{path}") as store:
            for name in MEMBERS:
                store.create_queue_manager(name, group="QSG1")
            mqsc.run(store.queue_manager(MEMBERS[0]), OBJECTS, check=True)
        handles = [opened(path, MEMBERS[0], queue) for queue in ("SHARED", "PRIVATE")]
        for persistence, kind in ((0, "non-persistent"), (1, "persistent")):
            message = Message(BODY, MessageDescriptor(persistence=persistence))
            ours, theirs = (partial(handle.put, message) for handle in handles)
            compare_each(
                f"put, {kind}, shared / private",
                rounds,
                calls,
                ours,
                theirs,
                beside="private",
            )
            got = (handle.get for handle in handles)
            compare_each(f"get, {kind}, shared / private", rounds, calls, *got, beside="private")
        handles[0].put([Message(BODY)] * WAITING)
        pairs = turns([(path, 0, member, "SHARED") for member in MEMBERS], seconds, 7)
    ratios = sorted(four.speed / one.speed for one, four in pairs)
    print(
        f"four members / one: {median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})",
        flush=True,
    )


if __name__ == "__main__":
    chosen = options(__doc__, seconds=SECONDS, rounds=ROUNDS, calls=300)
    for persistence in (0, 1):
        together(persistence, chosen.seconds, chosen.rounds)
    wake_up(chosen.seconds)
    shared(chosen.seconds, 3 * chosen.rounds, chosen.calls)
