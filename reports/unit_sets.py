"""Sets of units of work whose size does not grow with them: 4 MB, which every task can have.

A set may contain a unit that was not put into it, as the places of units are hashes. So it only decides by which way
events are counted, not the figures.
"""

from __future__ import annotations

from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

# Of the 2^25 bits, a row has 64 words of 64 bits.
_PLACE = "IF(unit IS NULL, NULL, xxhash64(store, unit) & 33554431)"
_ROW, _WORD, _BIT = "place DIV 4096", "CAST(place DIV 64 % 64 AS INT)", "CAST(place % 64 AS INT)"
_WORDS = "transform(sequence(0, 63), word -> coalesce(words[word], 0L))"


def unit_set(*units: DataFrame) -> DataFrame:
    """The set of the units of work in the columns `store` and `unit` of these frames."""
    together = reduce(lambda one, other: one.union(other), (each.select("store", "unit") for each in units))
    words = (
        together.selectExpr(f"{_PLACE} AS place")
        .groupBy(F.expr(_ROW).alias("row"), F.expr(_WORD).alias("word"))
        .agg(F.expr(f"bit_or(shiftleft(1L, {_BIT})) AS bits"))
    )
    rows = words.groupBy("row").agg(F.expr("map_from_entries(collect_list(struct(word, bits))) AS words"))
    return rows.select("row", F.expr(f"{_WORDS} AS words"))


def in_set(events: DataFrame, units: DataFrame) -> DataFrame:
    """The events with a unit of work in the set."""
    return _looked_up(events, units, "listed")


def not_in_set(events: DataFrame, units: DataFrame) -> DataFrame:
    """The events without a unit of work, or with one that is not in the set."""
    return _looked_up(events, units, "NOT listed")


def _looked_up(events: DataFrame, units: DataFrame, condition: str) -> DataFrame:
    placed = events.withColumn("place", F.expr(_PLACE)).withColumn("row", F.expr(_ROW))
    listed = F.expr(f"coalesce(getbit(words[{_WORD}], {_BIT}) = 1, FALSE)")
    joined = placed.join(units, "row", "left").withColumn("listed", listed)
    return joined.where(condition).drop("place", "row", "words", "listed")
