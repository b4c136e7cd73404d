"""Tables written by Spark's executors: `<table>.parquet` or `<table>.csv`, a folder of parts in the
order of the rows.

The parts of CSV make one file when they are put together: the first has the names of the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql import Column, DataFrame

from mqsc.reports.declaration import Report, ReportColumn, Table
from mqsc.reports.identities import Ledger
from mqsc.reports.output import CSV, FORMULA_STARTS, Result, values_of

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]


# The formats that executors can write. A page is one file, which the driver writes.
PARQUET = "parquet"
EXECUTOR_FORMATS = (CSV, PARQUET)
LINE_END = "\r\n"
# Without a file _SUCCESS: the manifest says what is complete.
_OPTIONS = {"mapreduce.fileoutputcommitter.marksuccessfuljobs": "false"}


class ExecutorFiles:
    """Writes tables below the URL `out`; `as_` is one of EXECUTOR_FORMATS. Each Result has the
    first `summary` rows.
    """

    def __init__(self, out: str, as_: str, summary: int) -> None:
        self._out = out
        self._as = as_
        self._summary = summary

    def write(self, report: Report, table: Table, frame: DataFrame, ledger: Ledger) -> Result:
        """Write the rows of a table, which are computed once and kept on the disks of the
        executors meanwhile.
        """
        from pyspark import StorageLevel

        kept = frame.persist(StorageLevel.DISK_ONLY)
        try:
            rows = kept.count()
            ordered = _ordered(table, kept)
            path = Path(report.name, f"{table.name}.{self._as}")
            url = f"{self._out}/{path}"
            _WRITERS[self._as](table, ordered, url)
            ledger.take(table, kept)
            first: pa.Table = ordered.limit(self._summary).toArrow()
        finally:
            kept.unpersist()
        return Result(
            report.name,
            table.name,
            table.doc,
            path,
            table.columns,
            rows,
            tuple(values_of(first)),
            url,
        )


def _ordered(table: Table, frame: DataFrame) -> DataFrame:
    from pyspark.sql import functions as F

    # As pyarrow orders them.
    return frame.orderBy(*(F.col(name).asc_nulls_last() for name in table.order))


def _write_parquet(table: Table, ordered: DataFrame, url: str) -> None:
    """The meaning of the columns is in Spark's own metadata of Parquet, as comments."""
    from pyspark.sql import functions as F

    commented = (
        F.col(column.name).alias(column.name, metadata={"comment": column.doc})
        for column in table.columns
    )
    ordered.select(*commented).write.options(**_OPTIONS).parquet(url)


def _write_csv(table: Table, ordered: DataFrame, url: str) -> None:
    from pyspark.sql import functions as F

    # Spark's own writer of CSV changes line ends inside of texts.
    lines = ordered.select(F.concat_ws(",", *map(_cell, table.columns)).alias("value"))
    heading = F.lit(",".join(column.name for column in table.columns)).alias("value")
    names = ordered.sparkSession.range(1).select(heading)
    names.coalesce(1).union(lines).write.options(lineSep=LINE_END, **_OPTIONS).text(url)


def _cell(column: ReportColumn) -> Column:
    """What a CSV file has for a column: as `reports.output` writes it."""
    from pyspark.sql import functions as F

    value = F.col(column.name)
    if column.type == "timestamp":
        seconds = F.date_format(value, "yyyy-MM-dd'T'HH:mm:ss")
        micros = F.date_format(value, ".SSSSSS")
        return F.coalesce(
            F.concat(seconds, F.when(micros == ".000000", "").otherwise(micros), F.lit("Z")),
            F.lit(""),
        )
    if column.type == "boolean":
        return F.coalesce(F.initcap(value.cast("string")), F.lit(""))
    if column.type != "string":
        return F.coalesce(value.cast("string"), F.lit(""))
    safe = F.when(
        F.substring(value, 1, 1).isin(*FORMULA_STARTS),
        F.concat(F.lit("'"), value),
    ).otherwise(value)
    quoted = F.concat(F.lit('"'), F.replace(safe, F.lit('"'), F.lit('""')), F.lit('"'))
    return F.coalesce(F.when(safe.rlike('[",\r\n]'), quoted).otherwise(safe), F.lit(""))


_WRITERS: Mapping[str, Callable[[Table, DataFrame, str], None]] = {
    CSV: _write_csv,
    PARQUET: _write_parquet,
}
