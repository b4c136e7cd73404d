"""Tables become files: `DIR/<report>/<table>.csv`, or a folder `<table>.parquet` with one file."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.declaration import Column, Report, Table

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

PAGE = 10_000
PART = "part-00000.parquet"


@dataclass(frozen=True, slots=True)
class Result:
    """A table that was written: where, how many rows, and the first of them in the order of `columns`.

    Values are Python's: str, int, Decimal (seconds), datetime (UTC), or None.
    """

    report: str
    table: str
    doc: str
    path: Path
    columns: tuple[Column, ...]
    rows_written: int
    summary_rows: tuple[tuple[Any, ...], ...]


def write(report: Report, table: Table, rows: pa.Table, out: Path, as_: str, summary: int) -> Result:
    """Sort the rows and replace the table's file by them: whoever reads it sees the old rows or the new ones.

    `as_` is a key of FORMATS, `summary` how many rows come back. Raises OSError when the file cannot be written.
    """
    ordered = rows.sort_by([(name, "ascending") for name in table.order])
    final, write_rows = FORMATS[as_](out / report.name / table.name)
    final.parent.mkdir(parents=True, exist_ok=True)
    # A leading dot: readers of a Parquet folder pass over it.
    unfinished = final.with_name(f".{final.name}.{os.getpid()}")
    try:
        write_rows(ordered, unfinished)
        os.replace(unfinished, final)
    finally:
        unfinished.unlink(missing_ok=True)
    path = final.parent if final.name == PART else final
    first = tuple(_values(ordered.slice(0, summary)))
    return Result(report.name, table.name, table.doc, path, table.columns, ordered.num_rows, first)


Writer = Callable[["pa.Table", Path], None]


def _csv(stem: Path) -> tuple[Path, Writer]:
    return stem.with_name(f"{stem.name}.csv"), _write_csv


def _parquet(stem: Path) -> tuple[Path, Writer]:
    return stem.with_name(f"{stem.name}.parquet") / PART, _write_parquet


FORMATS: Mapping[str, Callable[[Path], tuple[Path, Writer]]] = {"csv": _csv, "parquet": _parquet}


def _write_csv(rows: pa.Table, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(rows.column_names)
        for start in range(0, rows.num_rows, PAGE):
            writer.writerows(map(_written, _values(rows.slice(start, PAGE))))


def _write_parquet(rows: pa.Table, path: Path) -> None:
    from pyarrow import parquet

    parquet.write_table(rows, path)


def _values(rows: pa.Table) -> Iterator[tuple[Any, ...]]:
    return zip(*(column.to_pylist() for column in rows.columns), strict=True)


def _written(values: tuple[Any, ...]) -> list[Any]:
    return [value.isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else value for value in values]
