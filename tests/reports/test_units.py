"""Sets of units of work; and what reports gather is freed when no later report of the run needs
it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from mqsc.reports.catalog import report
from mqsc.reports.frames import frames, releasing
from mqsc.reports.unit_sets import in_set, not_in_set, unit_set
from tests.reports.tables import frame_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def test_what_a_later_report_is_built_from_stays_unless_there_is_an_error(
    spark: SparkSession,
) -> None:
    first, later = report("backouts"), report("queue-activity")
    gathered: dict[object, DataFrame] = {}
    kept: list[DataFrame] = []

    def load(name: str) -> DataFrame:
        return frame_of(spark, first.reads[name], (), name)

    def keep(frame: DataFrame) -> DataFrame:
        kept.append(frame.persist())
        return frame

    with releasing([gathered], [later]):
        frame_for = frames(first, load, keep, gathered)
        for name in ("event", "thresholds"):
            frame_for(name)
        assert len(kept) == len(gathered) > 2
    # What backouts undid, and their units of work.
    losses, units, *others = kept
    assert (list(gathered.values()), [each.is_cached for each in others]) == (
        [losses, units],
        [False] * len(others),
    )
    with suppress(KeyboardInterrupt), releasing([gathered], [later]):
        raise KeyboardInterrupt
    assert not gathered
    assert not losses.is_cached


MANY = 10_000


def test_units_are_found(spark: SparkSession) -> None:
    first, second = (
        spark.range(1, MANY, 2).selectExpr(
            f"{store} AS store",
            f"(id + {store * MANY}) << 20 AS unit",
        )
        for store in (0, 1)
    )
    columns = ("CAST(id DIV 10000 AS INT) AS store", "IF(id = 0, NULL, id << 20) AS unit")
    events = spark.range(2 * MANY).selectExpr(*columns)
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
    assert in_set(events, unit_set(events.where("FALSE"))).collect() == []
