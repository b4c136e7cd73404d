"""How speed is measured here: both sides take turns in one run, and the median of their ratios counts."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple

Work = Callable[[int], object]


def seconds(work: Callable[[], object]) -> float:
    """How long it takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def each(count: int, work: Callable[[], object]) -> None:
    """Call it so often."""
    for _ in range(count):
        work()


class Took(NamedTuple):
    """Seconds that something took: on the clock, and of the processor."""

    clock: float
    processor: float


def took(work: Callable[[], object]) -> Took:
    """How long it takes."""
    before, used = time.perf_counter(), time.process_time()
    work()
    return Took(time.perf_counter() - before, time.process_time() - used)


def compare(name: str, rounds: int, calls: int, ours: Work, theirs: Work, *, beside: str = "bare") -> float:
    """Let both take turns at `calls` calls, print a line, and return the median ratio: our speed / their speed.

    The ratio by the processor's time is printed too: where others work on the machine it is the steadier one.
    """
    pairs = [(took(lambda: theirs(calls)), took(lambda: ours(calls))) for _ in range(rounds)]
    processor = median(other.processor / product.processor for other, product in pairs)
    by_clock = [(other.clock, product.clock) for other, product in pairs]
    return report(f"{name:44} processor {processor:4.2f} ", calls, by_clock, beside=beside)


def report(name: str, calls: int, pairs: Sequence[tuple[float, float]], *, beside: str = "bare") -> float:
    """Print a line for rounds of `calls` calls, each (their seconds, ours); the median ratio, as compare() does."""
    ratios = sorted(other / product for other, product in pairs)
    other, product = (median(pair[side] for pair in pairs) for side in (0, 1))
    print(
        f"{name:60} clock {median(ratios):5.2f}  ({ratios[0]:.2f} to {ratios[-1]:.2f})   "
        f"product {calls / product:8.0f}/s   {beside} {calls / other:8.0f}/s",
        flush=True,
    )
    return median(ratios)
