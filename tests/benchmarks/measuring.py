"""How speed is measured here: both sides take turns in one run, and the median of their ratios counts."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median

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


def compare(name: str, rounds: int, calls: int, ours: Work, theirs: Work, *, beside: str = "bare") -> float:
    """Let both take turns at `calls` calls, print a line, and return the median ratio: our speed / their speed."""
    pairs = [(seconds(lambda: theirs(calls)), seconds(lambda: ours(calls))) for _ in range(rounds)]
    return report(name, calls, pairs, beside=beside)


def report(name: str, calls: int, pairs: Sequence[tuple[float, float]], *, beside: str = "bare") -> float:
    """Print a line for rounds of `calls` calls, each (their seconds, ours); the median ratio, as compare() does."""
    ratios = sorted(other / product for other, product in pairs)
    other, product = (median(pair[side] for pair in pairs) for side in (0, 1))
    print(
        f"{name:44} {median(ratios):5.2f}  ({ratios[0]:.2f} to {ratios[-1]:.2f})   "
        f"product {calls / product:8.0f}/s   {beside} {calls / other:8.0f}/s",
        flush=True,
    )
    return median(ratios)
