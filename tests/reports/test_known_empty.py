"""Tables that are made without Spark, because a small store has nothing of what they read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from mqsc.reports import catalog
from mqsc.reports.frames import frames
from mqsc.reports.known_empty import is_known_empty, no_rows
from mqsc.reports.sources import Sources, holding
from mqsc.store.published import RELATIONS, Bound
from tests.reports.history import event, message, write_history
from tests.reports.played import played
from tests.reports.tables import frame_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import DataFrame, SparkSession

    from mqsc.reports.declaration import Report

REPORTS = [catalog.report(name) for name in catalog.names()]
HISTORY = played(3)._asdict()


def load(spark: SparkSession, report: Report, name: str) -> DataFrame:
    reads = report.reads[name]
    return frame_of(spark, reads, HISTORY.get(reads.relation.name, ()), name)


def load_nothing(spark: SparkSession, report: Report, name: str) -> DataFrame:
    return frame_of(spark, report.reads[name], (), name)


@pytest.fixture
def keeping(spark: SparkSession) -> Iterator[SparkSession]:
    """The session, in which nothing stays cached: Spark compares every later plan with what is."""
    yield spark
    spark.catalog.clearCache()


def test_a_table_is_empty_without_what_its_rows_come_from(keeping: SparkSession) -> None:
    for report in REPORTS:
        frame_for = frames(report, partial(load, keeping, report), cached, {})
        for table in report.tables:
            empty = table.rows_from or table.reads
            needed = (frame_for(name).limit(0 if name in empty else 1000) for name in table.reads)
            rows = table.build(*needed).toArrow()
            assert (table.name, rows.num_rows) == (table.name, 0)
            assert types_of(rows) == types_of(no_rows(table))


def cached(frame: DataFrame) -> DataFrame:
    return frame.cache()


def types_of(rows: pa.Table) -> list[tuple[str, pa.DataType]]:
    return [(field.name, field.type) for field in rows.schema]


def test_what_is_gathered_from_nothing_is_nothing(keeping: SparkSession) -> None:
    for report in REPORTS:
        gathered: dict[object, DataFrame] = {}
        frame_for = frames(report, partial(load_nothing, keeping, report), cached, gathered)
        for name in report.reads:
            frame_for(name)
        assert [frame.count() for frame in gathered.values()] == [0] * len(gathered)


def test_the_kinds_of_events_say_which_tables_are_empty(tmp_path: Path) -> None:
    events = [event("OPEN"), event("PUT"), event("GET")]
    path = write_history(tmp_path / "store.db", events, [message()])
    held = holding(Sources(path, Bound(3, 1, {"QM1": 0})), RELATIONS)
    empty = {
        f"{report.name}.{table.name}"
        for report in REPORTS
        for table in report.tables
        if is_known_empty(held, report, table, {})
    }
    # Any other table may have rows for what it is only known not to have when it was gathered: a
    # get that was backed out, a dead letter, a batch of a channel.
    assert empty == {
        *(f"admin-audit.{name}" for name in ("changes", "activity")),
        *(f"authority.{name}" for name in ("refusals", "users", "grants", "effective", "unused")),
        *(f"expired-messages.{name}" for name in ("expired", "expired_by_cause", "expired_data")),
    }
