"""Tables compared with what a second program has counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

# The report rounds half a microsecond.
ROUNDED = 1.1e-6
Key = tuple[Any, ...]


def percentiles(times: Sequence[int]) -> list[float | None]:
    """Minimum, median, 95th percentile and maximum, in seconds."""
    if not times:
        return [None] * 4
    values = sorted(times)

    def at(share: Fraction) -> float:
        place = share * (len(values) - 1)
        below, above = values[floor(place)], values[ceil(place)]
        return float((below + (above - below) * (place - floor(place))) / 10**6)

    return [at(Fraction(each)) for each in ("0", "0.5", "0.95", "1")]


def between(since: int | None, until: int | None) -> int | None:
    """Microseconds between two times; 0 if a clock was set back, None if one is not known."""
    return None if since is None or until is None else max(0, until - since)


def seconds(microseconds: int | None) -> float | None:
    return None if microseconds is None else microseconds / 1e6


def same(table: pa.Table, by: str, names: str, wanted: dict[Key, list[Any]]) -> None:
    """The table has a row with these values for each key, and no other."""
    keys, values = by.split(), names.split()
    found = {
        tuple(plain(row[name]) for name in keys): [plain(row[name]) for name in values]
        for row in table.to_pylist()
    }
    assert len(found) == table.num_rows
    assert found.keys() == wanted.keys()
    for key, row in wanted.items():
        assert found[key] == [_near(value) for value in row], key


def same_rows(table: pa.Table, names: str, wanted: Iterable[Key]) -> None:
    """The table has these rows, in whatever order, and no other."""
    columns = names.split()
    found = [tuple(plain(row[name]) for name in columns) for row in table.to_pylist()]
    assert sorted(found, key=repr) == sorted(wanted, key=repr)


def _near(value: Any) -> Any:
    return pytest.approx(value, abs=ROUNDED) if isinstance(value, float) else value


def plain(value: Any) -> Any:
    """Times as microseconds, decimals as floating-point numbers."""
    if isinstance(value, datetime):
        return round(value.timestamp() * 10**6)
    return float(value) if type(value).__name__ == "Decimal" else value
