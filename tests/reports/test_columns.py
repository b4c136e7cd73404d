"""SQL that several reports share, evaluated by Spark."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from reports import catalog
from reports.catalog import ReportColumn
from reports.columns import HOUR, compute, elapsed, reason_name, rows_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXPRESSIONS = [
    (elapsed("3", "10"), "7"),
    (elapsed("10", "3"), "0"),
    (elapsed("3", "3"), "0"),
    (elapsed("NULL", "3"), "None"),
    (elapsed("3", "NULL"), "None"),
    (reason_name("2053"), "MQRC_Q_FULL"),
    (reason_name("265"), "MQFB_APPL_CANNOT_BE_STARTED"),
    (reason_name("0"), "MQRC_NONE"),
    (reason_name("77777"), "None"),
    (reason_name("NULL"), "None"),
    (f"(SELECT {HOUR} FROM (SELECT 3600000001 AS at))", "3600000000"),
    (f"(SELECT {HOUR} FROM (SELECT -1 AS at))", "-3600000000"),
]


def test_expressions(spark: SparkSession) -> None:
    (found,) = spark.sql("SELECT " + ", ".join(f"CAST({sql} AS STRING)" for sql, _ in EXPRESSIONS)).collect()
    wrong = [(sql, value) for (sql, wanted), value in zip(EXPRESSIONS, found, strict=True) if str(value) != wanted]
    assert wrong == []


def test_columns_are_computed_with_their_names_and_types(spark: SparkSession) -> None:
    qmgr = ReportColumn("qmgr", "string", "qmgr", "The queue manager.")
    columns = (qmgr, ReportColumn("twice", "bigint", "2 * number", "Twice the number."))
    frame = compute(spark.sql("SELECT 'QM1' AS qmgr, 3 AS number"), columns)
    assert frame.dtypes == [("qmgr", "string"), ("twice", "bigint")]
    assert [tuple(row) for row in frame.collect()] == [("QM1", 6)]


@pytest.mark.parametrize("name", catalog.names())
def test_every_row_of_a_report_belongs_to_a_table(name: str) -> None:
    rows = rows_of(name)
    assert {row.table for row in rows if row.table} == {table.name for table in catalog.report(name).tables}
    referring = Counter(row.column for row in rows if row.table and row.column and not row.kind)
    assert {row.column for row in rows if not row.table} <= {column for column, times in referring.items() if times > 1}


def test_shared_rows_are_used_by_several_reports() -> None:
    referring = Counter(
        column for name in catalog.names() for column in {row.column for row in rows_of(name) if not row.kind}
    )
    assert all(referring[row.column] > 1 for row in rows_of("shared"))
