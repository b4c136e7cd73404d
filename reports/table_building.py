"""The tables of reports: built by Spark from the rows of the sources, and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from mqsc.reports import frames, held_rows, identities
from mqsc.reports.declaration import Report, Table, checked
from mqsc.reports.errors import ReportFailedError
from mqsc.reports.interruptible import interruptible
from mqsc.reports.known_empty import is_known_empty, no_rows
from mqsc.reports.masters import is_local
from mqsc.reports.output import Result
from mqsc.reports.page import document
from mqsc.reports.periods import is_of_everything, opened_period, period_before
from mqsc.reports.progress import Progress, silent, watched
from mqsc.reports.selected_rows import selected_rows
from mqsc.reports.selection import ReportSelection
from mqsc.reports.session import FEW, interpreting, master_of
from mqsc.reports.sources import Sources, holding
from mqsc.reports.spark_errors import cause_of, failures
from mqsc.reports.table_writing import TableWriter
from mqsc.store.published import AUTHORITY, KEPT, PENDING, Bound

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import DataFrame, SparkSession

Taken = TypeVar("Taken")


def produce(
    spark: SparkSession,
    reports: Sequence[Report],
    read: Sources,
    written: TableWriter,
    selection: ReportSelection,
    *,
    progress: Progress = silent,
) -> tuple[list[Result], list[identities.Broken]]:
    """Build and write the tables of the reports; their results, and the identities that do not
    hold.

    The caller has checked the reports, the sources and the selection. ReportFailedError for errors
    inside Spark.
    """
    reports = [without_kept_data(report, read.bound) for report in reports]
    if is_small(spark, read):
        relations = {reads.relation.name for report in reports for reads in report.reads.values()}
        opened = opened_period(reports, read, selection, is_compared=written.compares)
        read = holding(read, relations, opened)
    return _produced(spark, reports, read, written, selection, progress)


def _produced(
    spark: SparkSession,
    reports: Sequence[Report],
    read: Sources,
    written: TableWriter,
    selection: ReportSelection,
    progress: Progress,
) -> tuple[list[Result], list[identities.Broken]]:
    results = []
    broken: list[identities.Broken] = []
    is_whole = is_of_everything(selection, read)
    before = period_before(selection, read) if written.compares else None
    try:
        for number, report in enumerate(reports, start=1):
            ledger = identities.Ledger(report, is_whole=is_whole)
            write, later = partial(written.write, report, ledger=ledger), reports[number:]
            build = partial(build_tables, spark, takes_arrow=written.takes_arrow)
            results += build(report, read, selection, progress, write, later)
            if before is not None:
                of_periods = replace(
                    report,
                    tables=tuple(filter(document.is_of_period, report.tables)),
                )
                compare = partial(written.compare, report)
                build(of_periods, read, before, progress, compare, later)
            broken += ledger.broken()
            written.end(report, ledger.broken())
        written.close()
    except failures() as error:
        raise ReportFailedError(
            f"the report {report.name} cannot be made: {cause_of(error)}",
        ) from error
    return results, broken


def without_kept_data(report: Report, bound: Bound) -> Report:
    """The report without its tables of data that was kept, unless the bound of the run has such
    data.
    """
    if bound.kept is not None:
        return report
    return replace(
        report,
        tables=tuple(table for table in report.tables if KEPT.name not in table.reads),
    )


def build_tables(
    spark: SparkSession,
    report: Report,
    read: Sources,
    selection: ReportSelection,
    progress: Progress,
    take: Callable[[Table, DataFrame | pa.Table], Taken],
    later: Sequence[Report] = (),
    *,
    takes_arrow: bool = False,
) -> list[Taken]:
    """Build each table of the report and give it to `take`, whose results are returned. Gathered
    rows are kept for the reports made `later`. If it `takes_arrow`, tables that are known to be
    empty are made without Spark.
    """
    small = is_small(spark, read)
    inputs = _Inputs(spark, report, read, selection, progress)
    results = []
    with frames.releasing(read.gathered.values(), later):
        gathered = read.gathered.setdefault(selection, {})
        # Ungathered rows are not cached: reading them from SQLite again is faster.
        frame_for = frames.frames(report, inputs.load, inputs.keep, gathered, loads_once=small)
        for table in report.tables:
            if small and takes_arrow and _is_empty(read, report, table, frame_for, gathered):
                results.append(take(table, no_rows(table)))
                continue
            needed = [frame_for(name) for name in table.reads]
            with watched(spark, f"{report.name}: {table.name}", progress):
                frame = checked(table, table.build(*needed))
                is_of_few = not small and all(each in read.few for each in needed)
                with interpreting(spark) if is_of_few and inputs.is_local else nullcontext():
                    results.append(interruptible(spark, partial(take, table, frame)))
    return results


def _is_empty(
    read: Sources,
    report: Report,
    table: Table,
    frame_for: frames.Load,
    gathered: Mapping[object, DataFrame],
) -> bool:
    """Whether the table is known to have no rows, gathering what its rows come from if that has to be
    known.
    """
    if is_known_empty(read, report, table, gathered):
        return True
    for name in table.rows_from or table.reads:
        frame_for(name)
    return is_known_empty(read, report, table, gathered)


@dataclass(frozen=True, slots=True)
class _Inputs:
    """The rows that the tables of a report are built from."""

    spark: SparkSession
    report: Report
    read: Sources
    selection: ReportSelection
    progress: Progress

    @property
    def is_local(self) -> bool:
        return is_local(master_of(self.spark))

    def load(self, name: str) -> DataFrame:
        """The selected rows of a read."""
        frame = selected_rows(self.spark, self.report, name, self.read, self.selection)
        # Archives do not say what is on queues.
        relation = self.report.reads[name].relation
        if self.read.path is None and relation in (PENDING, AUTHORITY):
            self.read.few.add(frame)
        return frame

    def keep(self, frame: DataFrame) -> DataFrame:
        """Compute gathered rows once for all tables that need them: in this process if they are
        few, otherwise in Spark.
        """
        spark = self.spark
        with watched(spark, self.report.name, self.progress):
            if is_small(spark, self.read):
                rows = interruptible(spark, frame.toArrow)
                kept = self._held(rows, frame)
                if not rows.num_rows:
                    self.read.empty.add(kept)
                return kept
            frame.persist()
            # Now Spark knows how large it is, and joins it without moving the other rows if it is
            # small.
            if not self.is_local and interruptible(spark, frame.count):
                return frame
            rows = interruptible(spark, frame.limit(FEW + 1).toArrow)
            if rows.num_rows > FEW:
                return frame
        # Of rows that are in this process, Spark does not plan again how they were gathered.
        frame.unpersist()
        kept = self._held(rows, frame).hint("broadcast")
        self.read.few.add(kept)
        return kept

    def _held(self, rows: pa.Table, frame: DataFrame) -> DataFrame:
        return held_rows.frame_of_held(self.spark, rows, frame.schema)


def is_small(spark: SparkSession, read: Sources) -> bool:
    """Whether this process can hold all rows, which saves Spark most of the time that it takes
    for few rows.
    """
    return read.rows <= FEW and is_local(master_of(spark))
