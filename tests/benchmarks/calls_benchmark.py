"""Puts and gets of the product against the bare driver making the same transactions, in one run.

    python tests/benchmarks/calls_benchmark.py [--calls 3000] [--rounds 5]

Prints the median ratio (product's speed / bare speed) of rounds in which both take turns.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from store import GetMessageOptions, Message, MessageDescriptor, PutMessageOptions
from store.constants import MQPMO
from tests.benchmarks.bare import BODY, Bare, product


def seconds(work: Callable[[], object]) -> float:
    """How long it takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def compare(name: str, rounds: int, calls: int, ours: Callable[[int], object], theirs: Callable[[int], object]) -> None:
    """Let both take turns and print a line."""
    pairs = [(seconds(lambda: theirs(calls)), seconds(lambda: ours(calls))) for _ in range(rounds)]
    ratios = sorted(bare / product for bare, product in pairs)
    bare, product = (median(pair[side] for pair in pairs) for side in (0, 1))
    print(
        f"{name:34} {median(ratios):5.2f}  ({ratios[0]:.2f} to {ratios[-1]:.2f})   "
        f"product {calls / product:8.0f}/s   bare {calls / bare:8.0f}/s",
        flush=True,
    )


def each(count: int, work: Callable[[], object]) -> None:
    """Call it so often."""
    for _ in range(count):
        work()


def compare_calls(folder: Path, chosen: argparse.Namespace, persistence: int, word: str) -> None:
    """Every comparison with persistent messages, or with others."""
    handle, _ = product(folder)
    bare = Bare(folder / "bare", durable=bool(persistence), persistence=persistence)
    message, plain, in_unit = (
        Message(BODY, MessageDescriptor(persistence=persistence)),
        GetMessageOptions(),
        PutMessageOptions(MQPMO.SYNCPOINT),
    )
    thousand = [message] * 1000
    calls = chosen.calls // (1 + 2 * persistence)

    def unit_of_100() -> None:
        each(100, lambda: handle.put(message, in_unit))
        handle.connection.commit()

    for name, number, ours, theirs in (
        ("put one per call", calls, lambda: handle.put(message), bare.put),
        ("get one per call", calls, lambda: handle.get(plain), bare.get),
        ("list of 1000 per call", 10, lambda: handle.put(thousand), lambda: bare.put_many(1000)),
        ("unit of 100 puts", calls // 100, unit_of_100, lambda: bare.unit(100)),
    ):
        compare(
            f"{name}, {word}",
            chosen.rounds,
            number,
            lambda n, work=ours: each(n, work),  # type: ignore[misc]
            lambda n, work=theirs: each(n, work),  # type: ignore[misc]
        )
    handle.connection.store.close()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    for persistence, word in ((0, "non-persistent"), (1, "persistent")):
        with tempfile.TemporaryDirectory() as folder:
            compare_calls(Path(folder), chosen, persistence, word)


if __name__ == "__main__":
    main()
