"""The time of a check is proportional to the length of its input, whatever that is."""

from __future__ import annotations

import time

import pytest

from mqsc.lint.script_check import check_script

# Measured only on request: -m benchmark.
pytestmark = pytest.mark.benchmark

LENGTH = 96_000
SHAPES = [
    "DEFINE QLOCAL(Q{n}) BOQNAME(B{n}) BOTHRESH(3) TRIGGER REPLACE\n",
    "DEFINE QLOCAL(A) REPLACE MAXDEPTH({n})\n",
    "DEFINE QLOCAL('q{n}')\nDEFINE QLOCAL(Q{n})\n",
    "DEFINE QLOCAL(A{n}) NOSUCH({n}) MAXDEPTH(X) WRONG +\n AND(MORE)\n",
    "ALTER QLOCAL(A) NOSUCH{n} +\n",
    "NOSUCH{n}(<a<b<c\n",
    "DEFINE LISTENER(L{n}) TRPTYPE(TCP)\n",
]


def seconds(shape: str, length: int) -> float:
    """Return the processor time of a check of about `length` characters."""
    text = "".join(shape.format(n=n) for n in range(length // len(shape)))
    began = time.process_time()
    check_script([text])
    return time.process_time() - began


@pytest.mark.parametrize("shape", SHAPES)
def test_eight_times_as_much_takes_less_than_thirty_times_as_long(shape: str) -> None:
    seconds(shape, LENGTH // 8)
    assert seconds(shape, LENGTH) < max(0.2, 30 * seconds(shape, LENGTH // 8))
