"""Archived events that a run holds in memory are what Spark reads from the archives themselves."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import DataFrame

from mqsc.reports import catalog
from mqsc.reports.errors import ReportFailedError
from mqsc.reports.output import CSV, Files
from mqsc.reports.selected_rows import selected_rows
from mqsc.reports.selection import ReportSelection
from mqsc.reports.session import FEW
from mqsc.reports.sources import NO_LIVE_STORE, Sources, holding, sources
from mqsc.reports.table_building import produce
from mqsc.reports.table_writing import TableWriter, Target
from mqsc.store.published import EVENT
from tests.benchmarks.generated_archive import DAY, generate
from tests.rows import rows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MICROSECONDS_AN_HOUR = 3_600_000_000
NOON = (DAY * 24 + 12) * MICROSECONDS_AN_HOUR
# Several reports have some of these reads.
READS = {
    each: (report, name)
    for report in map(catalog.report, catalog.names())
    for name, each in report.reads.items()
    if each.relation is EVENT
}


@pytest.fixture(scope="module")
def archived(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    """Two stores in archives, with the same names of queue managers."""
    folder = tmp_path_factory.mktemp("archived")
    for number in (1, 2):
        generate(f"{folder}/{number}", 1, a_day=1, seed=number, store=number)
    return sources(None, NO_LIVE_STORE, [f"{folder}/1", f"{folder}/2"])


@pytest.fixture(scope="module")
def held(archived: Sources) -> Sources:
    return holding(archived, [EVENT.name])


def _rows(
    spark: SparkSession,
    read: Sources,
    selection: ReportSelection,
) -> list[tuple[int, str]]:
    """What each of the reads returns, as its number and a row in JSON, in some order.

    In one query: for so few rows, a query for each would take several times as long.
    """
    frames = [
        selected_rows(spark, report, name, read, selection).selectExpr(
            f"{number} AS number",
            "to_json(struct(*), map('ignoreNullFields', 'false')) AS row",
        )
        for number, (report, name) in enumerate(READS.values())
    ]
    together = reduce(DataFrame.union, frames)
    return sorted((number, row) for number, row in together.collect())


@rows(
    ReportSelection(),
    ReportSelection(since=NOON, qmgrs=("QM2",)),
)
def test_they_are_what_spark_reads(
    spark: SparkSession,
    archived: Sources,
    held: Sources,
    selection: ReportSelection,
) -> None:
    by_spark = _rows(spark, archived, selection)
    assert _rows(spark, held, selection) == by_spark
    assert len(by_spark) > len(READS)


@rows(ReportSelection(), ReportSelection(since=NOON))
def test_tables_of_many_events_are_those_of_few(
    spark: SparkSession,
    archived: Sources,
    tmp_path: Path,
    selection: ReportSelection,
) -> None:
    """Of random histories with backouts, restarts, channels, dynamic queues and REFRESH."""
    stores = tuple(replace(store, last=FEW) for store in archived.archives)
    reports = [catalog.report(name) for name in ("dead-letters", "queue-activity")]
    made = {}
    for name, read in (("few", archived), ("many", replace(archived, archives=stores))):
        folder = tmp_path / name
        folder.mkdir()
        writer = TableWriter(Target(folder), CSV, 0, Files(folder, CSV, 0))
        produce(spark, reports, read, writer, selection)
        made[name] = {
            path.relative_to(folder): path.read_text("utf-8") for path in folder.rglob("*.csv")
        }
        assert {path.name for path in folder.iterdir()} == {report.name for report in reports}
    assert made["many"] == made["few"]
    assert any("QM2" in text for text in made["few"].values())


def test_a_file_that_cannot_be_read(archived: Sources) -> None:
    store = archived.archives[0]
    (part,) = store.parts
    missing = part.files[0]._replace(path="missing.parquet")
    broken = replace(store, parts=(replace(part, files=(missing,)),))
    read = replace(archived, archives=(broken,))
    says = r"missing\.parquet was changed, or cannot be read: No such file or directory"
    with pytest.raises(ReportFailedError, match=says):
        holding(read, [EVENT.name])
    # A file of another day is not opened.
    tomorrow = ReportSelection(since=NOON + 24 * MICROSECONDS_AN_HOUR)
    assert holding(read, [EVENT.name], tomorrow).held[EVENT.name].num_rows == 0
