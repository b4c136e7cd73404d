"""Quantiles of times, computed by Spark, against exact ones."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

import pyarrow as pa  # type: ignore[import-untyped]
import pytest

from mqsc.reports import blocks
from mqsc.reports.blocks import in_blocks
from mqsc.reports.columns import compute
from mqsc.reports.expressions import grouped
from mqsc.reports.quantiles import MOST, listed, span, summed, thinned

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

COLUMNS = span("wait", "waits", "Wait")
# So many values that each rank of few of them would be found at the wrong place, if one were.
SIZES = (*range(1, 24), 100, 127, 128, 199, 255, 256, 257, 1024, 1025, 5000)
# The median and the 95th percentile of more than MOST values are within this part of their ranks.
NEAR = 0.001


def interpolated(values: list[int], share: str) -> float:
    """The quantile of sorted microseconds, in seconds."""
    place = Fraction(share) * (len(values) - 1)
    below, above = values[floor(place)], values[ceil(place)]
    return float(round((below + (above - below) * (place - floor(place))) / 10**6, 6))


def wanted(values: Iterable[int]) -> list[float]:
    in_order = sorted(values)
    return [interpolated(in_order, share) for share in ("0", "0.5", "0.95", "1")]


def events(spark: SparkSession, rows: Iterable[tuple[int, int, int | None]]) -> DataFrame:
    """Events with a group, a number and a value."""
    columns = zip(("size", "seq", "value"), zip(*rows, strict=True), strict=True)
    return spark.createDataFrame(pa.table({name: pa.array(each) for name, each in columns}))


def in_lists(frame: DataFrame) -> DataFrame:
    return grouped(in_blocks(frame), "size block", f"{listed('value')} AS waits")


def answers(frame: DataFrame) -> list[tuple[float | None, ...]]:
    found = summed(in_lists(frame), "size", lists=["waits"]).orderBy("size")
    rows = compute(found, COLUMNS).collect()
    return [tuple(None if value is None else float(value) for value in row) for row in rows]


def test_few_values_are_exact(spark: SparkSession) -> None:
    """Every size has its own group; its values come in another order, and partly more than once,
    from several blocks.
    """
    chance = random.Random(17)
    values = {
        size: [chance.randrange(10**9) if chance.random() < 0.9 else 5 for _ in range(size)]
        for size in SIZES
    }
    rows = [
        (size, chance.randrange(4 * blocks.EVENTS), value)
        for size, listed_values in values.items()
        for value in (*listed_values, None)
    ]
    exact = [pytest.approx(wanted(values[size]), abs=1.5e-6) for size in SIZES]
    assert [list(each) for each in answers(events(spark, rows))] == exact


def test_a_group_without_values_has_none(spark: SparkSession) -> None:
    frame = spark.sql("SELECT 1 AS size, 1L AS seq, CAST(NULL AS BIGINT) AS value")
    assert answers(frame) == [(None, None, None, None)]


@pytest.mark.parametrize("number", [MOST, MOST + 1, 3 * MOST + 7])
def test_percentiles_are_exact_up_to_so_many_values(spark: SparkSession, number: int) -> None:
    """Microseconds whose neighbours are far apart, so that another one would be seen."""
    chance = random.Random(number)
    values = [place * 1_000_000 for place in range(number)]
    chance.shuffle(values)
    frame = events(spark, ((1, seq, value) for seq, value in enumerate(values)))
    (found,) = answers(frame)
    exact = wanted(values)
    if number <= MOST:
        assert list(found) == exact
        return
    assert (found[0], found[3]) == (exact[0], exact[3])
    assert found[1] == pytest.approx(exact[1], abs=NEAR * number)
    assert found[2] == pytest.approx(exact[2], abs=NEAR * number)


def test_the_same_events_have_the_same_percentiles(spark: SparkSession) -> None:
    """Of few and of many values, whatever the order of the events and in however many parts they
    are read.
    """
    frame = spark.range(2 * MOST + 1).selectExpr(
        "id % 3 DIV 2 AS size",
        "id AS seq",
        "xxhash64(id) & 4294967295 AS value",
    )
    others = [
        frame.orderBy("value").coalesce(1),
        frame.repartition(7, "value"),
        frame.orderBy("seq", ascending=False).repartition(3),
    ]
    first = answers(frame.coalesce(1))
    assert len(first) == 2
    assert [answers(other) for other in others] == [first] * len(others)


def test_a_large_group_keeps_a_bounded_number_of_values(spark: SparkSession) -> None:
    """Also one with a single value in each of very many blocks."""
    every = spark.range(20 * MOST).selectExpr("1 AS size", "id AS seq", "id AS value")
    sparse = spark.range(3 * MOST).selectExpr(
        "2 AS size",
        f"id * {blocks.EVENTS} AS seq",
        "id AS value",
    )
    thin = thinned(in_lists(every.union(sparse)), "size", ["waits"])
    kept = grouped(thin, "size", "sum(array_size(waits.kept)) AS kept").collect()
    assert len(kept) == 2
    assert all(0.9 * MOST <= row.kept <= MOST for row in kept)
