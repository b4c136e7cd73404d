"""Filling and emptying a queue, beside other people's queues on SQLite where they are installed (the extra `bench`)."""

from __future__ import annotations

from importlib import import_module

import pytest

for rival in ("litequeue", "persistqueue"):
    pytest.importorskip(rival)
rivals = import_module("tests.benchmarks.rivals_benchmark")

pytestmark = [pytest.mark.benchmark, pytest.mark.long]


@pytest.mark.parametrize("name", rivals.AHEAD_OF)
def test_filling_and_emptying_a_queue(name: str) -> None:
    _, make, persistence = next(row for row in rivals.RIVALS if row[0] == name)
    *_, ratio = rivals.beside(name, make, persistence, 5000)
    assert ratio > 1
