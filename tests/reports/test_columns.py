"""Columns and tables as reports declare them."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from mqsc.reports import catalog, shared_columns, shared_reads
from mqsc.reports.columns import (
    BYTES,
    CODE,
    IDENTIFIER,
    MICROSECONDS,
    NUMBER,
    PER_SECOND,
    TEXT,
    TIME,
    Column,
    Kind,
    Percentiles,
    compute,
    table,
)
from mqsc.reports.declaration import Chart, Curve, Reads, Report, ReportColumn, Table, Total, Unit
from mqsc.store.published import EVENT, Relation

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def test_columns_are_computed_with_their_names_and_types(spark: SparkSession) -> None:
    qmgr = ReportColumn("qmgr", "string", "qmgr", "The queue manager.")
    columns = (qmgr, ReportColumn("twice", "bigint", "2 * number", "Twice the number."))
    frame = compute(spark.sql("SELECT 'QM1' AS qmgr, 3 AS number"), columns)
    assert frame.dtypes == [("qmgr", "string"), ("twice", "bigint")]
    assert [tuple(row) for row in frame.collect()] == [("QM1", 6)]


SECONDS = "decimal(20,6)"
KINDS = {
    TEXT: ("string", "it", None),
    IDENTIFIER: ("string", "lower(hex(it))", None),
    NUMBER: ("bigint", "it", None),
    CODE: ("bigint", "it", Unit.CODE),
    BYTES: ("bigint", "it", Unit.BYTES),
    TIME: ("timestamp", "timestamp_micros(it)", None),
    MICROSECONDS: (SECONDS, "(it) / 1e6", None),
    PER_SECOND: (SECONDS, "it", Unit.PER_SECOND),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_is_computed_by_its_kind(kind: Kind) -> None:
    type, sql, unit = KINDS[kind]
    same = ReportColumn("it", type, sql, "It.", unit)
    assert Column("it", kind, "It.").built == (same,)
    assert Column("that", kind, "It.", sql="it").built == (same._replace(name="that"),)


def build(frame: DataFrame) -> DataFrame:
    return frame


def declared(
    chart: Chart | None = None,
    curve: Curve | None = None,
    order: str = "queue",
    rows_from: tuple[str, ...] = (),
) -> Table:
    return table(
        "depths",
        "Depths.",
        build=build,
        reads=("event",),
        order=(order,),
        columns=(
            Column("queue", TEXT, "The queue."),
            Column("puts", NUMBER, "Puts.", total="messages put", worst=True),
            Column("lost", NUMBER, "Lost.", problem="messages lost", alarm=True),
            Percentiles("stay", "Time", of="stays"),
        ),
        chart=chart,
        curve=curve,
        rows_from=rows_from,
    )


def test_what_pages_show_of_the_columns() -> None:
    shown = declared()
    assert [column.name for column in shown.columns] == [
        *("queue", "puts", "lost"),
        *("stay_min", "stay_median", "stay_p95", "stay_max"),
    ]
    assert shown.totals == (
        Total("puts", "messages put"),
        Total("lost", "messages lost", problem=True),
    )
    assert (shown.worst, shown.alarms) == ("puts", ("lost",))


@pytest.mark.parametrize(
    "names",
    [
        {"order": "qeue"},
        {"chart": Chart("putz", by="queue")},
        {"chart": Chart("puts", by="qeue")},
        {"chart": Chart("puts", by="queue", beside="gets")},
        {"curve": Curve("high", last="puts", label="depth")},
        {"curve": Curve("puts", last="end", label="depth")},
    ],
)
def test_a_table_names_only_its_own_columns(names: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="table depths has no column"):
        declared(**names)


def test_rows_of_a_table_come_from_what_it_reads() -> None:
    with pytest.raises(ValueError, match="depths has rows from 'queues', which it does not read"):
        declared(rows_from=("queues",))


def test_rows_of_a_table_come_by_one_column_first() -> None:
    columns = tuple(Column(name, NUMBER, "Number.", worst=True) for name in ("puts", "gets"))
    with pytest.raises(ValueError, match="depths has several columns that are worst: puts, gets"):
        table("depths", "Depths.", build=build, reads=(), order=(), columns=columns)


EVENTS = Reads(EVENT, ("seq",), "TRUE")
GATHERED = EVENTS._replace(gather=build)


@pytest.mark.parametrize(
    ("reads", "unknown"),
    [
        ({}, "depths of report r uses 'event', which is not read"),
        ({"event": EVENTS._replace(beside=("loses",))}, "event of report r uses 'loses'"),
        (
            {"event": EVENTS._replace(beside=("losses",)), "losses": GATHERED},
            "event of report r uses 'losses'",
        ),
    ],
)
def test_a_report_uses_only_what_it_reads(reads: dict[str, Reads], unknown: str) -> None:
    with pytest.raises(ValueError, match=unknown):
        Report("r", "", reads, (declared(),))


def test_rows_that_are_not_gathered_can_be_declared_later() -> None:
    reads = {"event": GATHERED._replace(beside=("losses",)), "losses": EVENTS}
    assert Report("r", "", reads, (declared(),)).reads == reads


def constants(module: ModuleType, type: type) -> list[Any]:
    return [each for each in vars(module).values() if isinstance(each, type)]


def columns_of(report: Report) -> set[ReportColumn]:
    return set(chain.from_iterable(table.columns for table in report.tables))


def conditions_of(report: Report) -> set[tuple[Relation, str]]:
    return {(reads.relation, reads.where) for reads in report.reads.values()}


def test_shared_columns_and_reads_are_those_of_several_reports() -> None:
    reports = [catalog.report(name) for name in catalog.names()]
    columns = Counter(chain.from_iterable(map(columns_of, reports)))
    conditions = Counter(chain.from_iterable(map(conditions_of, reports)))
    for column in constants(shared_columns, Column):
        assert all(columns[each] > 1 for each in column.built), column
    for reads in constants(shared_reads, Reads):
        assert conditions[reads.relation, reads.where] > 1, reads
