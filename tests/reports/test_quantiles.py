"""Quantiles of times, computed by Spark, against exact ones."""

from __future__ import annotations

import random
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

import pytest

from mqsc.reports.columns import compute
from mqsc.reports.quantiles import EXACT, RANK_ERROR, SIZE, merged, sketch, span, summarised

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

COLUMNS = span("wait", "waits", "Wait")
# So many values that each rank of few of them would be found at the wrong place, if one were.
SIZES = (*range(1, 24), 100, 127, 128, 199, EXACT - 1, EXACT)


def interpolated(values: list[int], share: str) -> float:
    """The quantile of sorted microseconds, in seconds."""
    place = Fraction(share) * (len(values) - 1)
    below, above = values[floor(place)], values[ceil(place)]
    return float(round((below + (above - below) * (place - floor(place))) / 10**6, 6))


def answers(frame: DataFrame) -> list[tuple[float | None, ...]]:
    rows = compute(summarised(frame, "waits").orderBy("size"), COLUMNS).collect()
    return [tuple(None if value is None else float(value) for value in row) for row in rows]


def test_few_values_are_exact(spark: SparkSession) -> None:
    """Every size has its own group; its values come in another order, and partly more than once."""
    chance = random.Random(17)
    values = {
        size: [chance.randrange(10**9) if chance.random() < 0.9 else 5 for _ in range(size)]
        for size in SIZES
    }
    rows = [(size, value) for size, listed in values.items() for value in (*listed, None)]
    frame = (
        spark.createDataFrame(rows, "size BIGINT, value BIGINT")
        .groupBy("size")
        .agg(_sketch("value"))
    )
    wanted = [
        tuple(interpolated(sorted(values[size]), share) for share in ("0", "0.5", "0.95", "1"))
        for size in SIZES
    ]
    assert answers(frame) == [pytest.approx(each, abs=1.5e-6) for each in wanted]


def test_a_group_without_values_has_none(spark: SparkSession) -> None:
    frame = (
        spark.sql("SELECT 1 AS size, CAST(NULL AS BIGINT) AS value")
        .groupBy("size")
        .agg(_sketch("value"))
    )
    assert answers(frame) == [(None, None, None, None)]
    assert answers(spark.sql("SELECT 1 AS size, CAST(NULL AS BINARY) AS waits")) == [
        (None, None, None, None),
    ]


def test_many_values_are_within_the_error(spark: SparkSession) -> None:
    """Sketches of many groups merged: the value of a rank is the rank, so that its error can be
    seen.
    """
    number = 1_000_000
    parts = spark.range(1, number + 1).selectExpr("id % 97 AS part", "id * 1000000 AS value")
    frame = parts.groupBy("part").agg(_sketch("value")).selectExpr(f"{merged('waits')} AS waits")
    ((least, median, high, most),) = answers(frame.selectExpr("1 AS size", "waits"))
    assert (least, most) == (1, number)
    assert median is not None
    assert high is not None
    # The promise is for 99 of 100 runs; twice the error is for nearly all.
    assert abs(median - number / 2) <= 2 * RANK_ERROR * number
    assert abs(high - 0.95 * number) <= 2 * RANK_ERROR * number


def test_a_sketch_has_a_bounded_size(spark: SparkSession) -> None:
    sql = (
        f"SELECT length({sketch('id')}), kll_sketch_to_string_bigint({sketch('id')}) FROM "
        "range(2000000)"
    )
    ((size, description),) = spark.sql(sql).collect()
    assert size < 8 * 3 * SIZE + 1000
    assert f"Epsilon                : {RANK_ERROR:.2%}"[:-2] in description


def _sketch(value: str) -> Column:
    from pyspark.sql import functions as F

    return F.expr(f"{sketch(value)} AS waits")
