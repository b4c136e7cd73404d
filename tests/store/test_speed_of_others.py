"""Put-and-get cycles compared with other queue libraries on SQLite, if they are installed (the
extra `bench`).
"""

from __future__ import annotations

from importlib import import_module

import pytest

for rival in ("litequeue", "persistqueue"):
    pytest.importorskip(rival)
rivals = import_module("tests.benchmarks.rivals_benchmark")

pytestmark = [pytest.mark.benchmark, pytest.mark.long]


@pytest.mark.parametrize(("name", "waiting", "shape"), rivals.AHEAD)
def test_cycles_of_a_put_and_a_get(name: str, waiting: int, shape: int) -> None:
    _, make, persistence = next(row for row in rivals.RIVALS if row[0] == name)
    assert list(rivals.beside(name, make, persistence, waiting))[shape] > 1
