"""Builds the tables of a report from literal rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]
from pyarrow import compute
from pyspark.sql import types as T
from pyspark.sql.pandas.types import to_arrow_schema

from reports.catalog import Reads, Report, checked
from reports.output import in_order
from reports.sources import schema_of
from reports.units import frames
from tests.reports.history import Row, at, fill

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

START = datetime(2023, 11, 14, 22, tzinfo=UTC)
# The current time of the queue managers' clocks, in seconds after START.
NOW = 100
Answer = list[tuple[Any, ...]]


class Case(NamedTuple):
    """Events, messages still on queues, and the expected rows of a table, without the column of the queue manager.

    `columns` are the columns to compare, if they are not those of the other cases.
    """

    events: Sequence[Row]
    rows: Answer
    pending: Sequence[Row] = ()
    columns: str = ""


# For one table, the columns to compare, and its cases by name.
Cases = tuple[str, Mapping[str, Case]]


def answers(spark: SparkSession, report: Report, cases: Mapping[str, Cases]) -> dict[tuple[str, str], Answer]:
    """Return the rows of each table for each of its cases. Cases are queue managers in stores of their own.

    So Spark runs only once.
    """
    each = [(f"{table}: {name}", case) for table, (_, named) in cases.items() for name, case in named.items()]
    rows = {
        relation: [
            {**row, "qmgr": name, "store": number}
            for number, (name, case) in enumerate(each)
            for row in getattr(case, rows_of)
        ]
        for relation, rows_of in (("event", "events"), ("pending", "pending"))
    }
    built = tables_of(spark, report, rows, *cases)
    return {
        (table, name): shown(_of_qmgr(built[table], f"{table}: {name}"), case.columns or columns)
        for table, (columns, named) in cases.items()
        for name, case in named.items()
    }


def _of_qmgr(rows: pa.Table, qmgr: str) -> pa.Table:
    return rows.filter(compute.equal(rows["qmgr"], qmgr))


def by_sqlite(
    rows: Mapping[str, Iterable[Row]], script: str, queries: Mapping[str, tuple[str, str]]
) -> dict[str, Answer]:
    """Compute tables a second time: run a script on the same rows, then the query of each table.

    `:start` and `:now` stand for START and for the time of the clocks.
    """

    def timed(sql: str) -> str:
        return sql.replace(":start", str(at(0))).replace(":now", str(at(NOW)))

    with closing(sqlite3.connect(":memory:")) as connection:
        fill(connection, rows.get("event", ()), rows.get("pending", ()))
        connection.executescript(timed(script))
        return {table: connection.execute(timed(query)).fetchall() for table, (_, query) in queries.items()}


def tables_of(
    spark: SparkSession, report: Report, rows: Mapping[str, Iterable[Row]], *names: str
) -> dict[str, pa.Table]:
    """Build the named tables from the rows of each relation, given in the order of their keys."""
    read = {
        name: frame_of(spark, reads, rows.get(reads.relation or name, ()), name) for name, reads in report.reads.items()
    }
    wanted = [table for table in report.tables if table.name in names]
    with ExitStack() as kept:

        def keep(frame: DataFrame, is_beside: bool) -> DataFrame:
            kept.callback(frame.persist().unpersist)
            return frame

        frame_for = frames(report, wanted, read.__getitem__, keep)
        return {
            table.name: in_order(table, checked(table, table.build(*map(frame_for, table.reads))).toArrow())
            for table in wanted
        }


def second(number: float) -> datetime:
    """Return the time so many seconds after START."""
    return START + timedelta(seconds=number)


def shown(rows: pa.Table, columns: str) -> Answer:
    """Return the named columns of a table, with an `hour` as the number of hours after START."""
    names = columns.split()
    return [tuple(plain(row[name], name) for name in names) for row in rows.select(names).to_pylist()]


def frame_of(spark: SparkSession, reads: Reads, rows: Iterable[Row], name: str) -> DataFrame:
    """Return the rows that one of the reads selects. Clocks are at NOW for every queue manager but GROUP.

    Of one with ARCHIVED in its name, only the archive is read. A row with `chosen` false lies outside the selection.
    """
    schema = schema_of(reads.relation or name, reads.columns)
    numbered = [{"seq": number, "chosen": True, "store": 0, **row} for number, row in enumerate(rows, start=1)]
    schema = schema.add("store", T.IntegerType())
    if reads.chosen_by is not None:
        schema = schema.add("chosen", T.BooleanType())
    # Of a list, Spark would make rows in a Python process.
    frame = spark.createDataFrame(pa.Table.from_pylist(numbered, to_arrow_schema(schema)))
    if reads.owner:
        frame = frame.selectExpr("* EXCEPT (qmgr)", f"{reads.owner} AS qmgr")
    return frame.where(reads.where).selectExpr(
        "*", f"IF(qmgr = 'GROUP', NULL, {at(NOW)}) AS now", "qmgr NOT LIKE '%ARCHIVED%' AS is_live"
    )


def plain(value: Any, column: str) -> Any:
    """Convert a decimal to float, and an hour to the number of hours after START."""
    if column == "hour" and value is not None:
        return (value - START) // timedelta(hours=1)
    return float(value) if type(value).__name__ == "Decimal" else value
