"""Writes tables: `<report>/<table>.csv`, a folder `<table>.parquet` with one file, or `<report>.html`.

The meaning of the columns is in the metadata of Parquet, in a data package beside CSV, and on HTML pages.

CSV is that of RFC 4180. A text in it that begins like a formula is preceded by an apostrophe, so that a spreadsheet
runs nothing; Parquet has the text as it is.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from reports import data_package
from reports.chart import Sum
from reports.declaration import Report, ReportColumn, Table
from reports.moments import moment
from reports.page import MOST_ROWS, Section, page

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

PAGE = 10_000
# The last four are the full-width forms of the first, which some spreadsheets take for them.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
PARQUET_SUFFIX = ".parquet"
PART = f"part-00000{PARQUET_SUFFIX}"
# Keys of Parquet's metadata.
DESCRIPTION = "description"
SPARK_SCHEMA = "org.apache.spark.sql.parquet.row.metadata"


class Result(NamedTuple):
    """A written table: its path, the number of rows, and the first rows in the order of `columns`.

    Values are str, int, Decimal (seconds), datetime (UTC) or None; a time that datetime does not have is a str. If
    Spark wrote to a URL, that is in `url`, and the path is relative to the folder of the run.
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

    def end(self, report: Report) -> None:
        """Finish the report: it has no more tables."""


def output(out: Path, as_: str, summary: int, about: Sequence[str] = ()) -> Output:
    """The writer of one of the FORMATS under `out`; `summary` is the number of rows of each table in its Result.

    `about` are sentences on the source of the reports, which only HTML pages show.
    """
    return Pages(out, summary, about) if as_ == PAGE_FORMAT else Files(out, as_, summary)


class Files:
    """Writes each table to a file of its own; `as_` is a key of FILES."""

    def __init__(self, out: Path, as_: str, summary: int) -> None:
        self._out = out
        self._as = as_
        self._summary = summary
        self._tables: list[Table] = []

    def write(self, report: Report, table: Table, rows: pa.Table) -> Result:
        """Sort the rows and write the table's file."""
        ordered = _ordered(table, rows)
        file, write_rows = FILES[self._as](self._out / report.name / table.name)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_rows(table, ordered, file)
        self._tables.append(table)
        return _result(report, table, ordered, file.parent if file.name == PART else file, self._summary)

    def end(self, report: Report) -> None:
        """Describe the CSV files in a data package."""
        if self._as == CSV:
            (self._out / report.name / data_package.NAME).write_text(
                data_package.data_package(report, self._tables), "utf-8"
            )
        self._tables = []


class Pages:
    """Writes each report to one page, with the first rows of its tables."""

    def __init__(self, out: Path, summary: int, about: Sequence[str]) -> None:
        self._out = out
        self._summary = summary
        self._about = about
        self._sections: list[Section] = []

    def write(self, report: Report, table: Table, rows: pa.Table) -> Result:
        """Keep what the page will show of the table."""
        ordered = _ordered(table, rows)
        first = tuple(values_of(ordered.slice(0, MOST_ROWS)))
        self._sections.append(Section(table, first, ordered.num_rows, _sums(table, ordered)))
        return _result(report, table, ordered, self._path(report), self._summary)

    def end(self, report: Report) -> None:
        """Write the page of the report."""
        self._path(report).write_text(page(report, self._sections, self._about), "utf-8")
        self._sections = []

    def _path(self, report: Report) -> Path:
        return self._out / f"{report.name}.html"


def _ordered(table: Table, rows: pa.Table) -> pa.Table:
    return rows.sort_by([(name, "ascending") for name in table.order])


def _result(report: Report, table: Table, ordered: pa.Table, path: Path, summary: int) -> Result:
    first = tuple(values_of(ordered.slice(0, summary)))
    return Result(report.name, table.name, table.doc, path, table.columns, ordered.num_rows, first)


def _sums(table: Table, rows: pa.Table) -> list[Sum]:
    """The sums for the table's chart, from all its rows."""
    if table.chart is None:
        return []
    summed = rows.group_by(table.chart.by).aggregate([(table.chart.value, "sum")])
    labels, totals = _listed(summed[table.chart.by]), summed[f"{table.chart.value}_sum"].to_pylist()
    return [Sum("" if label is None else label, total or 0) for label, total in zip(labels, totals, strict=True)]


Writer = Callable[[Table, "pa.Table", Path], None]


def _csv(stem: Path) -> tuple[Path, Writer]:
    return stem.with_name(f"{stem.name}.csv"), _write_csv


def _parquet(stem: Path) -> tuple[Path, Writer]:
    return stem.with_name(f"{stem.name}.parquet") / PART, _write_parquet


CSV = "csv"
FILES: Mapping[str, Callable[[Path], tuple[Path, Writer]]] = {CSV: _csv, "parquet": _parquet}
PAGE_FORMAT = "html"
FORMATS = (*FILES, PAGE_FORMAT)


def entry_of(report: str, as_: str) -> str:
    """The name of the file, or of the folder, that a report is written to."""
    return f"{report}.html" if as_ == PAGE_FORMAT else report


def _write_csv(table: Table, rows: pa.Table, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\r\n")
        writer.writerow(rows.column_names)
        for start in range(0, rows.num_rows, PAGE):
            writer.writerows([_cell(value) for value in row] for row in values_of(rows.slice(start, PAGE)))


def _cell(value: Any) -> Any:
    """A time in ISO format; a text that a spreadsheet would take for a formula, with an apostrophe before it."""
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value


def _write_parquet(table: Table, rows: pa.Table, path: Path) -> None:
    from pyarrow import parquet

    parquet.write_table(_described(table, rows), path)


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

    if not pa.types.is_timestamp(column.type):
        return column.to_pylist()  # type: ignore[no-any-return]
    return [None if value is None else moment(value) for value in column.cast(pa.int64()).to_pylist()]
