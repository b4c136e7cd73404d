"""What reports gather is freed when no later report of the run needs it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from mqsc.reports.catalog import report
from mqsc.reports.units import frames, releasing
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
        frames(first, first.tables, load, keep, gathered)
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
