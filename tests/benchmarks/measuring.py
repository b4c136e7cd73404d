"""Measuring speed as a ratio: both sides alternate in one run, and the median of their ratios is
the result.
"""

from __future__ import annotations

import argparse
import multiprocessing
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median
from typing import Any, NamedTuple

from tests.source import ROOT

Call = Callable[[], object]
Work = Callable[[int], object]
Pipe = Connection


def options(text: str | None, **defaults: int | float | str) -> argparse.Namespace:
    """Return the options of the command line: one for each default, of its type. `text` is the
    help.
    """
    parser = argparse.ArgumentParser(
        description=text,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for name, default in defaults.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default)
    return parser.parse_args()


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def each(count: int, work: Callable[[], object]) -> None:
    for _ in range(count):
        work()


class Took(NamedTuple):
    """The wall-clock seconds of a call, and its processor seconds with those of its children."""

    clock: float
    processor: float


def took(work: Callable[[], object]) -> Took:
    """Return the wall-clock time and the processor time of a call."""
    before, used = time.perf_counter(), _processor()
    work()
    return Took(time.perf_counter() - before, _processor() - used)


def _processor() -> float:
    return sum(
        each.ru_utime + each.ru_stime for each in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN))
    )


def run(*command: str) -> None:
    """Run a command that must succeed, in the folder of the tree; its output is not kept."""
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


def compare(
    name: str,
    rounds: int,
    calls: int,
    ours: Work,
    theirs: Work,
    *,
    beside: str = "bare",
) -> float:
    """Alternate both sides, print a line, and return the median ratio: our speed / their speed.

    Each side makes `calls` calls in a round. The ratio of processor times is printed too: it is
    steadier on a busy machine.
    """
    pairs = [(took(lambda: theirs(calls)), took(lambda: ours(calls))) for _ in range(rounds)]
    processor = median(other.processor / product.processor for other, product in pairs)
    by_clock = [(other.clock, product.clock) for other, product in pairs]
    return report(f"{name:44} processor {processor:4.2f} ", calls, by_clock, beside=beside)


def compare_each(
    name: str,
    rounds: int,
    calls: int,
    ours: Call,
    theirs: Call,
    *,
    beside: str = "bare",
) -> float:
    return compare(
        name,
        rounds,
        calls,
        lambda n: each(n, ours),
        lambda n: each(n, theirs),
        beside=beside,
    )


def report(
    name: str,
    calls: int,
    pairs: Sequence[tuple[float, float]],
    *,
    beside: str = "bare",
) -> float:
    """Print a line for rounds of `calls` calls, each given as (their seconds, ours); return the
    median ratio.
    """
    ratios = sorted(other / product for other, product in pairs)
    other, product = (median(pair[side] for pair in pairs) for side in (0, 1))
    print(
        f"{name:60} clock {median(ratios):5.2f}  ({ratios[0]:.2f} to {ratios[-1]:.2f})   "
        f"product {calls / product:8.0f}/s   {beside} {calls / other:8.0f}/s",
        flush=True,
    )
    return median(ratios)


@contextmanager
def workers(
    work: Callable[..., None],
    arguments: Sequence[tuple[Any, ...]],
) -> Iterator[list[Pipe]]:
    """Start a process for each tuple of arguments; yield their pipes. `work` also gets the other
    end of its pipe.

    It receives seconds, works for so long, and sends a result, until it receives 0.
    """
    context = multiprocessing.get_context("spawn")
    with ExitStack() as started:
        pipes = []
        for each_one in arguments:
            ours, theirs = context.Pipe()
            process = context.Process(target=work, args=(*each_one, theirs))
            process.start()
            started.callback(process.join)
            started.callback(ours.send, 0)
            pipes.append(ours)
        yield pipes


def turn(pipes: Sequence[Pipe], seconds: float) -> list[Any]:
    """Let these processes work at the same time; return their results."""
    for pipe in pipes:
        pipe.send(seconds)
    return [pipe.recv() for pipe in pipes]
