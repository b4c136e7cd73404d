"""Time grows in proportion to the length of any input."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import pytest

from mqsc.grammar.lines import logical_lines
from mqsc.grammar.parse import parse_command, parse_rules
from tests.grammar.reading import command_or_fault, commands
from tests.rows import rows

# Measured only on request: -m benchmark.
pytestmark = pytest.mark.benchmark

LENGTH = 16_000
MEGABYTE = 1_000_000


FIRST = ["", "A('", "A(", "A(B)"]


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time that `work` takes."""
    began = time.process_time()
    work()
    return time.process_time() - began


def read_all(text: str) -> None:
    for line in commands(text):
        command_or_fault(line)
    for _ in parse_rules(text):
        pass


# Input that would make a reader take quadratic time. Each is repeated to the length of the text.
@rows(
    *("A ", "A(B) ", "A(", "A)", "(", "'", "''", "A('", "A=", "A('b'c", "A(x y)\n", "A" + " " * 99),
    *("';", ";", "; ", "a;", ";*", "+\n", "A -\n", "'+\n", "A+\n*\n"),
    *("\r", "A\r", "\r\r\n", "\0", "\udcff;", "\udcff+\n", "\ufeff"),
)
def test_a_text_sixteen_times_as_long_takes_less_than_a_hundred_times_as_long(shape: str) -> None:
    for first in FIRST:
        short, long = (first + shape * (length // len(shape)) for length in (LENGTH // 16, LENGTH))
        # Very short times cannot be measured reliably.
        assert seconds(partial(read_all, long)) < max(0.2, 100 * seconds(partial(read_all, short)))


@rows(
    *(
        before + piece * MEGABYTE
        for before, piece in (("A('", "x"), ("", "A"), ("A", " "), ("A(", "B "), ("A", "("))
    ),
)
def test_one_long_thing_is_read_at_once(text: str) -> None:
    assert seconds(partial(read_all, text)) < 5


def test_lines_cost_little_beside_commands() -> None:
    source = (
        "DEFINE QLOCAL(ORDERS) MAXDEPTH(5000) +\n   DESCR('Orders that came in') REPLACE\n" * 500
    )
    lines = commands(source)
    parsing = min(seconds(lambda: [parse_command(line) for line in lines]) for _ in range(5))
    assembling = min(seconds(lambda: list(logical_lines(source))) for _ in range(5))
    assert assembling < parsing / 2
