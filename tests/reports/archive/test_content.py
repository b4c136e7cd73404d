"""The hash of the content of events, computed a second time without Arrow, and the days of times."""

from __future__ import annotations

import hashlib
from datetime import date, timedelta
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from reports.archive.content import MICROSECONDS_A_DAY, SCHEMA, ContentHash, day_of, on_day

NUMBER = st.none() | st.integers(-(2**63), 2**63 - 1)
TEXT = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
VALUES = {pa.int64(): NUMBER, pa.string(): TEXT, pa.binary(): st.none() | st.binary(max_size=5)}
ROWS = st.lists(st.tuples(*(VALUES[field.type] for field in SCHEMA)), max_size=6)


def as_bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode()


def plain_hash(rows: list[tuple[Any, ...]]) -> str:
    """As docs/archive.md says."""
    digests = b""
    for number, field in enumerate(SCHEMA):
        values = [row[number] for row in rows]
        is_number = field.type == pa.int64()
        texts = [b"" if value is None or is_number else as_bytes(value) for value in values]
        numbers = [value or 0 for value in values] if is_number else list(map(len, texts))
        strings = (
            bytes(value is not None for value in values),
            b"".join(value.to_bytes(8, "little", signed=True) for value in numbers),
            b"".join(texts),
        )
        digests += b"".join(hashlib.sha256(each).digest() for each in strings)
    return hashlib.sha256(digests).hexdigest()


@given(ROWS, st.integers(0, 6))
def test_the_hash_is_the_documented_one_however_the_rows_are_divided(rows: list[tuple[Any, ...]], cut: int) -> None:
    columns = list(zip(*rows, strict=True)) or [()] * len(SCHEMA)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, SCHEMA, strict=True)]
    table = pa.table(arrays, schema=SCHEMA)
    content = ContentHash()
    for part in (table.slice(0, cut), table.slice(cut)):
        content.update(part)
    assert (content.rows, content.hexdigest()) == (len(rows), plain_hash(rows))


@given(st.dates(date.min, date.max), st.integers(0, MICROSECONDS_A_DAY - 1))
def test_the_day_of_a_time(day: date, within: int) -> None:
    assert day_of((day - date(1970, 1, 1)) // timedelta(days=1) * MICROSECONDS_A_DAY + within) == day.isoformat()


def test_the_day_of_a_time_that_python_has_no_date_for() -> None:
    times = (-1, 0, 253_402_300_800_000_000, -(2**62))
    assert [day_of(at) for at in times] == ["1969-12-31", "1970-01-01", "+010000-01-01", "-144169-06-28"]


def test_the_events_of_a_day() -> None:
    times = [-1, 0, MICROSECONDS_A_DAY - 1, MICROSECONDS_A_DAY]
    rows = pa.table({"at": pa.array(times, pa.int64())})
    assert [on_day(rows, day).column("at").to_pylist() for day in (-1, 0, 1, 2)] == [[-1], times[1:3], times[3:], []]
