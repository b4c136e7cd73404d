"""Sets of units of work whose size does not grow with them: 4 MB of bits, and at most ten times as
much in a task.

A set may contain a unit that was not put into it, as the places of units are hashes. So it only
decides by which way events are counted, not the figures.
"""

from __future__ import annotations

from functools import reduce

from pyspark.sql import DataFrame, functions as F

# One of 2^25 bits, in words of 64.
_PLACE = "IF(unit IS NULL, NULL, xxhash64(store, unit) & 33554431)"
_WORD, _BIT = "CAST(place DIV 64 AS INT)", "CAST(place % 64 AS INT)"
_IS_LISTED = f"coalesce(getbit(bits, {_BIT}) = 1, FALSE)"


def unit_set(*units: DataFrame) -> DataFrame:
    """The set of the units of work in the columns `store` and `unit` of these frames."""
    together = reduce(
        lambda one, other: one.union(other),
        (unit.select("store", "unit") for unit in units),
    )
    placed = together.selectExpr(f"{_PLACE} AS place").selectExpr(
        f"{_WORD} AS word",
        f"shiftleft(1L, {_BIT}) AS bit",
    )
    return placed.groupBy("word").agg(F.expr("bit_or(bit) AS bits"))


def in_set(events: DataFrame, units: DataFrame) -> DataFrame:
    """The events with a unit of work in the set."""
    return _looked_up(events, units, "inner", _IS_LISTED)


def not_in_set(events: DataFrame, units: DataFrame) -> DataFrame:
    """The events without a unit of work, or with one that is not in the set."""
    return _looked_up(events, units, "left", f"NOT {_IS_LISTED}")


def _looked_up(events: DataFrame, units: DataFrame, how: str, condition: str) -> DataFrame:
    placed = events.withColumn("place", F.expr(_PLACE)).withColumn("word", F.expr(_WORD))
    return placed.join(units, "word", how).where(condition).drop("place", "word", "bits")
