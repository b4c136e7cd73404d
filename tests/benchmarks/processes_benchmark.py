"""Several processes on one queue: throughput compared with one process, the longest call, and how soon a get wakes.

    python -m tests.benchmarks.processes_benchmark [--seconds 2] [--rounds 7]

Each process alternates puts and gets on one queue that holds messages. One process and four processes run alternately;
printed are the median of throughput of four / throughput of one, and how long the calls of the four took. Then a get
waits in another process; printed are the milliseconds from the end of the committed put until the get returns, and the
processor time that waiting takes. MQSC_SECONDS sets the default of --seconds, the length of one run.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from store import GetMessageOptions, Message, MessageDescriptor
from store.constants import MQGMO
from tests.benchmarks.bare import BODY, opened, product
from tests.benchmarks.measuring import Pipe, options, turn, workers

SECONDS = float(os.environ.get("MQSC_SECONDS", "2"))
ROUNDS = 7
PROCESSES = 4
WAITING = 1000
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


def work(path: str, persistence: int, orders: Pipe) -> None:
    """Run in a child process: put and get for the seconds received, then send back the duration of each call."""
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


def calls_of(pipes: list[Pipe], seconds: float) -> Turn:
    """Run these processes at the same time."""
    taken = turn(pipes, seconds)
    return Turn(sum(map(len, taken)) / seconds, sorted(call for calls in taken for call in calls))


def together(persistence: int, seconds: float = SECONDS, rounds: int = ROUNDS) -> tuple[float, float]:
    """Return (throughput of all processes / throughput of one, the longest call of all rounds in milliseconds)."""
    with tempfile.TemporaryDirectory() as folder:
        handle, path = product(Path(folder))
        handle.put([Message(BODY, MessageDescriptor(persistence=persistence))] * WAITING)
        with workers(work, [(path, persistence)] * PROCESSES) as pipes:
            calls_of(pipes, seconds / 4)
            pairs = [(calls_of(pipes[:1], seconds), calls_of(pipes, seconds)) for _ in range(rounds)]
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
    """Run in a child process: wait for messages, and send the time of each get and the processor time used so far."""
    handle = opened(path)
    options = GetMessageOptions(MQGMO.WAIT, wait_interval=PATIENCE)
    orders.send(None)
    while handle.get(options).body != b"":
        # time.monotonic() is the same clock in every process.
        orders.send((time.monotonic(), time.process_time()))


def wake_up(seconds: float = SECONDS) -> tuple[float, float]:
    """Return (95th percentile of the wake-up time of a get in ms, share of a processor that a waiting get uses)."""
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
        f"a get that waits in another process woke after {median(late):.1f} ms (p95 {soon:.1f}, latest "
        f"{late[-1]:.1f} ms) and used {share:.1%} of a processor while it waited",
        flush=True,
    )
    return soon, share


if __name__ == "__main__":
    chosen = options(__doc__, seconds=SECONDS, rounds=ROUNDS)
    for persistence in (0, 1):
        together(persistence, chosen.seconds, chosen.rounds)
    wake_up(chosen.seconds)
