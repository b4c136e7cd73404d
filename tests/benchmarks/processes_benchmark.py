"""Several processes on one queue: their throughput beside that of one, the longest wait of a call, and how a get wakes.

    python tests/benchmarks/processes_benchmark.py [--seconds 2] [--rounds 7]

Every process puts and gets, both in turn, on one queue with messages on it. One process and four take turns; printed is
the median of throughput of four together / throughput of one, and how long the calls of the four took. Then a get waits
in another process: milliseconds from the end of the put that commits until the get has returned, and the processor time
that waiting takes. MQSC_SECONDS sets how long a turn is.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from statistics import median
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from store import GetMessageOptions, Message, MessageDescriptor
from store.constants import MQGMO
from tests.benchmarks.bare import BODY, opened, product

SECONDS = float(os.environ.get("MQSC_SECONDS", "2"))
ROUNDS = 7
PROCESSES = 4
WAITING = 1000
# Waits of a get: how many, and how long one may take at most, in milliseconds.
WAKES, PATIENCE = 100, 60_000


class Turn(NamedTuple):
    """What processes did in one turn: calls a second, and the seconds of every call, shortest first."""

    speed: float
    calls: list[float]

    @property
    def longest(self) -> float:
        """Milliseconds of the longest call."""
        return self.calls[-1] * 1000


def work(path: str, persistence: int, orders: Pipe) -> None:
    """A process: puts and gets for as many seconds as it is told, and tells how long every call took."""
    handle = opened(path)
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


@contextmanager
def workers(path: str, persistence: int) -> Iterator[list[Pipe]]:
    """The processes, waiting for orders."""
    context = multiprocessing.get_context("spawn")
    pipes, processes = [], []
    for _ in range(PROCESSES):
        ours, theirs = context.Pipe()
        processes.append(context.Process(target=work, args=(path, persistence, theirs)))
        processes[-1].start()
        pipes.append(ours)
    yield pipes
    for pipe in pipes:
        pipe.send(0)
    for process in processes:
        process.join()


def turn(pipes: list[Pipe], seconds: float) -> Turn:
    """Let these processes work at the same time."""
    for pipe in pipes:
        pipe.send(seconds)
    taken = [pipe.recv() for pipe in pipes]
    return Turn(sum(map(len, taken)) / seconds, sorted(call for calls in taken for call in calls))


def together(persistence: int, seconds: float = SECONDS, rounds: int = ROUNDS) -> tuple[float, float]:
    """(throughput of all processes / of one, the longest call of all rounds in milliseconds)."""
    with tempfile.TemporaryDirectory() as folder:
        handle, path = product(Path(folder))
        handle.put([Message(BODY, MessageDescriptor(persistence=persistence))] * WAITING)
        with workers(path, persistence) as pipes:
            turn(pipes, seconds / 4)
            pairs = [(turn(pipes[:1], seconds), turn(pipes, seconds)) for _ in range(rounds)]
    ratios = sorted(many.speed / one.speed for one, many in pairs)
    longest = sorted(many.longest for _, many in pairs)
    calls = sorted(call for _, many in pairs for call in many.calls)
    print(
        f"{PROCESSES} processes, {'persistent' if persistence else 'non-persistent'}: {median(ratios):.2f} of one "
        f"({ratios[0]:.2f} to {ratios[-1]:.2f}), one {median(one.speed for one, _ in pairs):.0f} calls/s; "
        f"a call p99 {calls[len(calls) * 99 // 100] * 1000:.1f} ms, longest {longest[-1]:.0f} ms "
        f"(of a turn: median {median(longest):.0f} ms)",
        flush=True,
    )
    return median(ratios), longest[-1]


def wait(path: str, orders: Pipe) -> None:
    """A process whose gets wait; it tells when each returned, and how much processor time it has used."""
    handle = opened(path)
    options = GetMessageOptions(MQGMO.WAIT, wait_interval=PATIENCE)
    orders.send(None)
    while handle.get(options).body != b"":
        # The same clock in every process.
        orders.send((time.monotonic(), time.process_time()))


def wake_up(seconds: float = SECONDS) -> tuple[float, float]:
    """(milliseconds within which 19 of 20 gets of another process woke, its share of a processor while it waits)."""
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        handle, path = product(Path(folder))
        ours, theirs = context.Pipe()
        waiter = context.Process(target=wait, args=(path, theirs))
        waiter.start()
        ours.recv()
        late, used = [], []
        for number in range(WAKES):
            # Not in step with the looks of the one that waits.
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
        f"a get that waits in another process woke after {median(late):.1f} ms (p95 {soon:.1f}, latest "
        f"{late[-1]:.1f} ms) and used {share:.1%} of a processor while it waited",
        flush=True,
    )
    return soon, share


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    chosen = parser.parse_args()
    for persistence in (0, 1):
        together(persistence, chosen.seconds, chosen.rounds)
    wake_up(chosen.seconds)


if __name__ == "__main__":
    main()
