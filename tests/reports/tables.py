"""Builds the tables of a report from literal rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from pyspark.sql import types as T

from reports.declaration import Reads, Report, checked
from reports.gathering import frames
from reports.source import schema_of
from tests.reports.history import Row, at

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

START = datetime(2023, 11, 14, 22, tzinfo=UTC)
# The current time of the queue managers' clocks, in seconds after START.
NOW = 100
Answer = list[tuple[Any, ...]]


class Case(NamedTuple):
    """Events, messages still on queues, and the expected rows of a table, without the column of the queue manager."""

    events: Sequence[Row]
    rows: Answer
    pending: Sequence[Row] = ()


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
    cached = {name: frame.persist() for name, frame in frames_of(spark, report, rows).items()}
    found: dict[tuple[str, str], Answer] = {(table, name): [] for table, (_, named) in cases.items() for name in named}
    for table, (columns, _) in cases.items():
        for qmgr, *row in table_of(report, table, cached, f"qmgr {columns}"):
            of, name = qmgr.split(": ", 1)
            if of == table:
                found[table, name].append(tuple(row))
    return found


def made(spark: SparkSession, report: Report, name: str, rows: Mapping[str, Iterable[Row]], names: str) -> Answer:
    """Build a table from the rows of each relation, given in the order of their keys; return the named columns."""
    return table_of(report, name, frames_of(spark, report, rows), names)


def table_of(report: Report, name: str, frames: Mapping[str, DataFrame], names: str) -> Answer:
    """Return the named columns of a table in its declared order, with an `hour` as the number of hours after START."""
    (table,) = (each for each in report.tables if each.name == name)
    arrow = checked(table, table.build(*(frames[name] for name in table.reads))).toArrow()
    ordered = arrow.sort_by([(column, "ascending") for column in table.order])
    return [tuple(plain(row[column], column) for column in names.split()) for row in ordered.to_pylist()]


def frames_of(spark: SparkSession, report: Report, rows: Mapping[str, Iterable[Row]]) -> dict[str, DataFrame]:
    """Return the frames that a report reads and gathers from the rows of each relation."""
    read = {
        name: frame_of(spark, reads, rows.get(reads.relation or name, ()), name) for name, reads in report.reads.items()
    }
    frame_for = frames(report, report.tables, read.__getitem__, lambda frame, is_beside: frame)
    return {name: frame_for(name) for name in read}


def frame_of(spark: SparkSession, reads: Reads, rows: Iterable[Row], name: str) -> DataFrame:
    """Return the rows that one of the reads selects. Clocks are at NOW for every queue manager but GROUP.

    Of one with ARCHIVED in its name, only the archive is read. A row with `chosen` false lies outside the selection.
    """
    schema = schema_of(reads.relation or name, reads.columns)
    numbered = [{"seq": number, "chosen": True, "store": 0, **row} for number, row in enumerate(rows, start=1)]
    schema = schema.add("store", T.IntegerType())
    if reads.chosen_by is not None:
        schema = schema.add("chosen", T.BooleanType())
    frame = spark.createDataFrame([tuple(row.get(field) for field in schema.names) for row in numbered], schema)
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
