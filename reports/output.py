"""Output of a run."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from mqsc.reports.data_package import DATA_PACKAGE, data_package
from mqsc.reports.declaration import Report, ReportColumn, Table
from mqsc.reports.identities import Broken
from mqsc.reports.times import moment, plain

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]


ROWS_AT_ONCE = 10_000
# The last four are full-width forms of the first four; some spreadsheets treat them alike.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
PARQUET_SUFFIX = ".parquet"
PART = f"part-00000{PARQUET_SUFFIX}"
# Keys of Parquet's metadata.
DESCRIPTION = "description"
SPARK_SCHEMA = "org.apache.spark.sql.parquet.row.metadata"


class Result(NamedTuple):
    """A written table: its path, the number of rows, and the first rows in the order of `columns`.

    Values are str, int, Decimal (seconds), datetime (UTC) or None; a time that datetime does not
    have is a str. If Spark wrote to a URL, that is in `url`, and the path is relative to the folder
    of the run.
    """

    report: str
    table: str
    doc: str
    path: Path
    columns: tuple[ReportColumn, ...]
    rows_written: int
    summary_rows: tuple[tuple[Any, ...], ...]
    url: str = ""

    @property
    def where(self) -> str:
        """The URL or the path, for people."""
        return self.url or str(self.path)


class Output(Protocol):
    """Writes the tables of reports, one after the other. Raises OSError if it cannot."""

    def write(self, report: Report, table: Table, rows: pa.Table) -> Result:
        """Take the rows of a table, in any order."""

    def end(self, report: Report, broken: Sequence[Broken]) -> None:
        """Finish the report: it has no more tables; `broken` are its identities that do not
        hold.
        """

    def close(self) -> None:
        """Finish the run: it has no more reports."""


class Files:
    """Writes each table to a file of its own; `as_` is csv or parquet."""

    def __init__(self, out: Path, as_: str, summary: int) -> None:
        self._out = out
        self._as = as_
        self._summary = summary
        self._tables: list[Table] = []

    def write(self, report: Report, table: Table, rows: pa.Table) -> Result:
        """Sort the rows and write the table's file."""
        ordered = in_order(table, rows)
        path = self._out / report.name / f"{table.name}.{self._as}"
        path.parent.mkdir(parents=True, exist_ok=True)
        if self._as == CSV:
            _write_csv(ordered, path)
        else:
            _write_parquet(table, ordered, path)
        self._tables.append(table)
        return result_of(report, table, ordered, path, self._summary)

    def end(self, report: Report, broken: Sequence[Broken]) -> None:
        """Describe the CSV files in a data package."""
        if self._as == CSV:
            (self._out / report.name / DATA_PACKAGE).write_text(
                data_package(report, self._tables),
                "utf-8",
            )
        self._tables = []

    def close(self) -> None:
        """Every file is complete."""


def in_order(table: Table, rows: pa.Table) -> pa.Table:
    """The rows in the declared order."""
    return rows.sort_by([(name, "ascending") for name in table.order])


def result_of(report: Report, table: Table, rows: pa.Table, path: Path, summary: int) -> Result:
    """The result for a table that is in the file or folder `path`."""
    first = tuple(values_of(in_order(table, rows).slice(0, summary)))
    return Result(report.name, table.name, table.doc, path, table.columns, rows.num_rows, first)


CSV, PAGE_FORMAT = "csv", "html"
FORMATS = (CSV, "parquet", PAGE_FORMAT)
# The page of a run. Every report in it has a link to it, under the name of the report.
PAGE = "index.html"


def page_of(report: str) -> str:
    """The name of the link from a report to the page of the run that made it last."""
    return f"{report}.html"


def entries_of(reports: Sequence[str], as_: str) -> list[str]:
    """The names of the files and folders that these reports are written to."""
    return [PAGE, *map(page_of, reports)] if as_ == PAGE_FORMAT else list(reports)


def _write_csv(rows: pa.Table, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\r\n")
        writer.writerow(rows.column_names)
        for start in range(0, rows.num_rows, ROWS_AT_ONCE):
            writer.writerows(
                [_cell(value) for value in row]
                for row in values_of(rows.slice(start, ROWS_AT_ONCE))
            )


def _cell(value: Any) -> Any:
    """A time in ISO format; a text that a spreadsheet would take for a formula, with an
    apostrophe before it.
    """
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value


def _write_parquet(table: Table, rows: pa.Table, path: Path) -> None:
    from pyarrow import parquet

    path.mkdir(exist_ok=True)
    parquet.write_table(_described(table, rows), path / PART)


def rows_in(path: Path) -> int:
    """How many rows a Parquet file has, as it says itself."""
    from pyarrow import parquet

    return int(parquet.read_metadata(path).num_rows)


def _described(table: Table, rows: pa.Table) -> pa.Table:
    """The rows with the meaning of the table and of its columns in the metadata of the schema."""
    import pyarrow as pa
    from pyspark.sql.pandas.types import from_arrow_schema

    docs = {column.name: column.doc for column in table.columns}
    fields = [field.with_metadata({DESCRIPTION: docs[field.name]}) for field in rows.schema]
    # Spark shows the comments of its own description of the columns.
    for_spark = from_arrow_schema(rows.schema)
    for field in for_spark.fields:
        field.metadata = {"comment": docs[field.name]}
    metadata = {DESCRIPTION: table.doc, SPARK_SCHEMA: for_spark.json()}
    return rows.cast(pa.schema(fields, metadata))


def values_of(rows: pa.Table) -> Iterator[tuple[Any, ...]]:
    """The rows as values of Python."""
    return zip(*(_listed(column) for column in rows.columns), strict=True)


def _listed(column: pa.ChunkedArray) -> list[Any]:
    import pyarrow as pa

    is_time = pa.types.is_timestamp(column.type)
    return [moment(value) if is_time and value is not None else value for value in plain(column)]
