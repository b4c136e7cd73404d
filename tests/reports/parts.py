"""Runs of one table in the running session, without the checks of `reports.run`; and the lines
of tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mqsc.reports import catalog
from mqsc.reports.declaration import Report, Table
from mqsc.reports.identities import Broken
from mqsc.reports.output import CSV, Result, result_of
from mqsc.reports.selection import ReportSelection
from mqsc.reports.sources import Sources
from mqsc.reports.table_building import produce
from mqsc.reports.table_writing import TableWriter, Target

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import SparkSession

EVERY_ROW = 1_000


def rows_of(
    spark: SparkSession,
    report: str,
    table: str,
    columns: str,
    read: Sources,
    selection: ReportSelection,
) -> list[tuple[Any, ...]]:
    """Make one table of a report, and return these columns of its rows."""
    whole = catalog.report(report)
    only = replace(whole, tables=tuple(each for each in whole.tables if each.name == table))
    (made,), _ = produce(
        spark,
        [only],
        read,
        TableWriter(Target(Path()), CSV, 0, _Kept()),
        selection,
    )
    names = [column.name for column in made.columns]
    return [tuple(row[names.index(name)] for name in columns.split()) for row in made.summary_rows]


def lines_of(folder: Path, report: str, *tables: str) -> dict[str, list[str]]:
    """The lines of tables in CSV, without the names of columns."""
    return {
        table: (folder / report / f"{table}.csv").read_text("utf-8").splitlines()[1:]
        for table in tables or [each.name for each in catalog.report(report).tables]
    }


class _Kept:
    """Writes nothing: every row is in the result."""

    def write(self, report: Report, table: Table, rows: pa.Table) -> Result:
        assert rows.num_rows <= EVERY_ROW
        return result_of(report, table, rows, Path(), EVERY_ROW)

    def end(self, report: Report, broken: Sequence[Broken]) -> None: ...

    def close(self) -> None: ...
