"""Tables written as files, by the driver and by executors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql import Column, DataFrame

from mqsc.reports.catalog import Report, ReportColumn, Table
from mqsc.reports.errors import ReportError, ReportFailedError, reason_of
from mqsc.reports.identities import Broken, Ledger
from mqsc.reports.masters import HADOOP_SCHEMES
from mqsc.reports.output import CSV, FORMULA_STARTS, Output, Result, values_of
from mqsc.reports.page.document import Page

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]


# A table with more rows than this is not brought to this process, which would need memory for all
# of it.
MOST_ROWS = 1_000_000
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_FILE = "file"
_CHECKSUMS = ".*.crc"


@dataclass(frozen=True, slots=True)
class Target:
    """The folder or URL of a run. Executors write all tables with `by_executors`, otherwise only
    large ones, if they see this machine's folders (`is_shared`).

    `many` says whether a table can be large.
    """

    out: Path | str
    by_executors: bool = False
    many: bool = False
    is_shared: bool = True

    @property
    def url(self) -> str:
        """The same for Spark, which encodes nothing."""
        return self.out if isinstance(self.out, str) else f"{_FILE}://{self.out.absolute()}"


def place_of(out: str, as_: str) -> Path | str:
    """The folder, or the URL for Spark, that `--out` names. ReportError if the format cannot be
    written to a URL.
    """
    scheme = _scheme(out)
    if scheme and as_ not in EXECUTOR_FORMATS:
        raise ReportError(
            f"{as_} cannot be written to a URL; name a folder, or choose "
            f"{' or '.join(EXECUTOR_FORMATS)}",
        )
    if scheme == _FILE:
        path = out.partition("://")[2]
        if not path.startswith("/"):
            raise ReportError(f"{out} is not the URL of a folder; write it as file:///FOLDER")
        return Path(path)
    return (
        f"{HADOOP_SCHEMES.get(scheme, scheme)}://{out.partition('://')[2].rstrip('/')}"
        if scheme
        else Path(out)
    )


def is_for_executors(out: str) -> bool:
    """Whether `--out` is a URL, to which executors write."""
    return bool(_scheme(out))


def _scheme(out: str) -> str:
    match = _URL.match(out)
    return match[1].lower() if match else ""


class TableWriter:
    """Writes the tables of reports, one after the other, in the format `as_`.

    `by_driver` writes those that executors do not write.
    """

    def __init__(self, to: Target, as_: str, summary: int, by_driver: Output | None) -> None:
        self._folder = to.out if isinstance(to.out, Path) else None
        self._by_driver = None if to.by_executors else by_driver
        # The limit costs a little, so it is only used where there can be many rows.
        self._is_limited = to.many
        large = to.many and to.is_shared and as_ in EXECUTOR_FORMATS
        self._by_executors = (
            ExecutorFiles(to.url, as_, summary) if to.by_executors or large else None
        )

    def write(self, report: Report, table: Table, frame: DataFrame, ledger: Ledger) -> Result:
        """Compute the rows of a table, write them, and add them up in the ledger of the report."""
        if self._by_driver is not None:
            rows = self._in_this_process(frame)
            if rows.num_rows <= MOST_ROWS:
                ledger.take(table, rows)
                with writing():
                    return self._by_driver.write(report, table, rows)
            del rows
        if self._by_executors is None:
            raise self._too_many(report, table)
        result = self._by_executors.write(report, table, frame, ledger)
        return result if self._folder is None else _in_folder(result, self._folder)

    @property
    def compares(self) -> bool:
        """Whether the tables of the period before are wanted, too."""
        return isinstance(self._by_driver, Page)

    def compare(self, report: Report, table: Table, frame: DataFrame) -> None:
        """Compute the rows of a table for the period before."""
        assert isinstance(self._by_driver, Page)
        rows = self._in_this_process(frame)
        if rows.num_rows > MOST_ROWS:
            raise self._too_many(report, table)
        self._by_driver.compare(report, table, rows)

    def _in_this_process(self, frame: DataFrame) -> pa.Table:
        """The rows, or so many of a table that is too large for this process that it shows."""
        return (frame.limit(MOST_ROWS + 1) if self._is_limited else frame).toArrow()

    def _too_many(self, report: Report, table: Table) -> ReportFailedError:
        """The failure of a table that only this process could write."""
        if isinstance(self._by_driver, Page):
            advice = f"choose --as {' or '.join(EXECUTOR_FORMATS)}"
        else:
            advice = "name a URL that the executors write to (--out file:///FOLDER)"
        return ReportFailedError(
            f"the table {table.name} of {report.name} has more than {MOST_ROWS:,} rows, which "
            f"this process does not hold: select a shorter period or fewer queues, or {advice}",
        )

    def end(self, report: Report, broken: Sequence[Broken]) -> None:
        """Finish the report: it has no more tables; `broken` are its identities that do not
        hold.
        """
        if self._by_driver is not None:
            with writing():
                self._by_driver.end(report, broken)

    def close(self) -> None:
        """Finish the run: it has no more reports."""
        if self._by_driver is not None:
            with writing():
                self._by_driver.close()


def _in_folder(result: Result, folder: Path) -> Result:
    """The result with its path. ReportFailedError if the executors have written to a folder of
    another machine.
    """
    with writing():
        path = folder / result.path
        if not any(path.glob("part-*")):
            raise ReportFailedError(
                f"the executors have written {path}, but it is not on this machine: --out "
                "file://FOLDER needs a folder "
                "that they share",
            )
        for checksum in path.glob(_CHECKSUMS):
            checksum.unlink()
    return result._replace(path=path, url="")


@contextmanager
def writing() -> Iterator[None]:
    """An OSError in the block is one of the output, not of Spark."""
    try:
        yield
    except OSError as error:
        raise ReportFailedError(f"the reports cannot be written: {reason_of(error)}") from error


# Tables written by Spark's executors: `<table>.parquet` or `<table>.csv`, a folder of parts in the
# order of the rows.
#
# The parts of CSV make one file when they are put together: the first has the names of the columns.

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
