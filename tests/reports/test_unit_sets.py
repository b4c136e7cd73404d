"""Sets of units of work: each unit that was put in is found, and few others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.units import in_set, not_in_set, unit_set

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MANY = 10_000


def test_units_are_found(spark: SparkSession) -> None:
    first, second = (
        spark.range(1, MANY, 2).selectExpr(f"{store} AS store", f"(id + {store * MANY}) << 20 AS unit")
        for store in (0, 1)
    )
    events = spark.range(2 * MANY).selectExpr(
        "CAST(id DIV 10000 AS INT) AS store", "IF(id = 0, NULL, id << 20) AS unit"
    )
    units = unit_set(first, second)
    found = {tuple(row) for row in in_set(events, units).collect()}
    others = {tuple(row) for row in not_in_set(events, units).collect()}
    listed = {(number // MANY, number << 20) for number in range(1, 2 * MANY, 2)}
    assert listed <= found
    assert found.isdisjoint(others)
    assert len(found) + len(others) == 2 * MANY
    assert (0, None) in others
    # Of 2^25 places, 10 000 are taken.
    assert len(found - listed) < 100


def test_an_empty_set_has_no_unit(spark: SparkSession) -> None:
    events = spark.range(3).selectExpr("0 AS store", "id AS unit")
    assert in_set(events, unit_set(events.where("FALSE"))).collect() == []
