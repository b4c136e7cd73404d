"""Tables written as files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from mqsc.reports.declaration import Report, Table
from mqsc.reports.errors import ReportError, ReportFailedError, reason_of
from mqsc.reports.executor_files import EXECUTOR_FORMATS, PARQUET, ExecutorFiles
from mqsc.reports.identities import Broken, Ledger
from mqsc.reports.masters import HADOOP_SCHEMES
from mqsc.reports.output import Output, Result
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
        self._as = as_
        # The limit costs a little, so it is only used where there can be many rows.
        self._is_limited = to.many
        large = to.many and to.is_shared and as_ in EXECUTOR_FORMATS
        self._by_executors = (
            ExecutorFiles(to.url, as_, summary) if to.by_executors or large else None
        )

    def write(
        self,
        report: Report,
        table: Table,
        frame: DataFrame | pa.Table,
        ledger: Ledger,
    ) -> Result:
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
    def folder(self) -> Path | None:
        """The folder of the run on this machine; None if it is at a URL."""
        return self._folder

    @property
    def compares(self) -> bool:
        """Whether the tables of the period before are wanted, too."""
        return isinstance(self._by_driver, Page)

    @property
    def takes_arrow(self) -> bool:
        """Whether a table may be Arrow, too: this process writes it, and not as Parquet, which says
        what can be NULL in a column. Only Spark knows that.
        """
        return self._by_driver is not None and self._as != PARQUET

    def compare(self, report: Report, table: Table, frame: DataFrame | pa.Table) -> None:
        """Compute the rows of a table for the period before."""
        assert isinstance(self._by_driver, Page)
        rows = self._in_this_process(frame)
        if rows.num_rows > MOST_ROWS:
            raise self._too_many(report, table)
        self._by_driver.compare(report, table, rows)

    def _in_this_process(self, frame: DataFrame | pa.Table) -> pa.Table:
        """The rows; of a table that is too large for this process, one more than MOST_ROWS."""
        if not isinstance(frame, DataFrame):
            return frame
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
