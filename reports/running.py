"""Makes reports: from names and options to written tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from reports import catalog
from reports.declaration import Report, checked
from reports.errors import ReportError, ReportFailedError, reason_of
from reports.output import FORMATS, Output, Result, entry_of, output
from reports.progress import Progress, silent, watched
from reports.provenance import manifest_of
from reports.publication import publish, run_folder
from reports.selection import ReportSelection, condition, description, select
from reports.sources import Archived, Sources, clocks, rows_of, sources
from store.published import Bound

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SUMMARY = 20
LIBRARIES = ("pyspark", "pyarrow", "adbc_driver_manager", "adbc_driver_sqlite")
INSTALL = "pip install 'mqsc[reports]'"


def run(
    names: Sequence[str],
    path: str | PathLike[str] | None,
    out: str | PathLike[str],
    as_: str = "csv",
    *,
    bound: Bound,
    archives: Sequence[str] = (),
    archived: Archived | None = None,
    since: str | None = None,
    until: str | None = None,
    qmgrs: Sequence[str] = (),
    queues: Sequence[str] = (),
    master: str = "local[*]",
    summary: int = SUMMARY,
    progress: Progress = silent,
) -> list[Result]:
    """Make the named reports from the store in the file `path`, up to `bound`, and write their tables under `out`.

    The name `daily` stands for all reports. `bound` is that of `Store.freeze`, so that all tables show one moment.
    `archives` are read too, or alone if `path` is None; then `archived` says how far the store is archived.

    The caller must have closed the store: from now on only Spark's workers touch its files (design §3.13). `since`
    (inclusive) and `until` (exclusive) are ISO 8601, UTC without an offset. Names in `queues` may end with *.
    `progress` is called with short texts. The results are in the order of the names and their tables, with the first
    `summary` rows of each. Nothing under `out` changes before all of them are complete.

    Raises ReportError, before Spark starts wherever possible, for an unknown report or format, a bad period or queue,
    an unusable file or folder, missing libraries or a missing Java runtime, and if Spark does not start. Raises
    ReportFailedError for errors inside Spark after that.
    """
    _require_libraries()
    reports = [catalog.report(name) for name in catalog.expanded(names)]
    if not reports:
        raise ReportError(f"name the report to make: {', '.join(catalog.names())}")
    selection = select(since, until, qmgrs, queues)
    folder = _usable(None if path is None else Path(path), Path(out), as_)
    read = sources(None if path is None else Path(path).absolute(), bound, archives, archived)
    from reports.session import session

    with run_folder(folder, [entry_of(report.name, as_) for report in reports]) as unpublished:
        progress("starting Spark")
        with session(master, events=read.rows) as spark:
            about = manifest_of(read, as_, selection, spark.version)
            results = produce(spark, reports, read, unpublished, as_, selection, summary=summary, progress=progress)
            return publish(unpublished, results, about)


def _require_libraries() -> None:
    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        raise ReportError(f"reports need the libraries of the extra mqsc[reports]; install them with {INSTALL}")


def produce(
    spark: SparkSession,
    reports: Sequence[Report],
    read: Sources,
    out: Path,
    as_: str,
    selection: ReportSelection,
    *,
    summary: int = SUMMARY,
    progress: Progress = silent,
) -> list[Result]:
    """Like `run`, in a running session and without its checks."""
    from reports.session import cause_of, failures

    results = []
    written = output(out, as_, summary, description(selection, read.names, read.bound))
    try:
        for report in reports:
            results += _tables(spark, report, read, selection, progress, written)
            with _writing():
                written.end(report)
    except failures() as error:
        raise ReportFailedError(f"the report {report.name} cannot be made: {cause_of(error)}") from error
    return results


@contextmanager
def _writing() -> Iterator[None]:
    """An OSError in the block is one of the output, not of Spark."""
    try:
        yield
    except OSError as error:
        raise ReportFailedError(f"the reports cannot be written: {reason_of(error)}") from error


def _tables(
    spark: SparkSession,
    report: Report,
    read: Sources,
    selection: ReportSelection,
    progress: Progress,
    written: Output,
) -> list[Result]:
    def load(name: str) -> DataFrame:
        return frame_of(spark, report, name, read, selection)

    gathered = {
        name: reads.gather(load(name), *map(load, reads.beside)).persist()
        for name, reads in report.reads.items()
        if reads.gather
    }
    results = []
    try:
        for table in report.tables:
            with watched(spark.sparkContext, f"{report.name}: {table.name}", progress):
                # Ungathered rows are not cached: reading them from SQLite again is faster.
                built = table.build(*(gathered[name] if name in gathered else load(name) for name in table.reads))
                rows = checked(table, built).toArrow()
                with _writing():
                    results.append(written.write(report, table, rows))
    finally:
        # The session may belong to the caller and continue.
        for frame in gathered.values():
            frame.unpersist()
    return results


def frame_of(spark: SparkSession, report: Report, name: str, read: Sources, selection: ReportSelection) -> DataFrame:
    """The selected rows of one of the report's reads, with the time of each queue manager's clock.

    If the read has `chosen_by`, the selection of periods and queues becomes a column instead of a filter. Filter the
    frame in one way only: Spark keeps the filters that it pushed to a Python data source and applies them to every
    other use of the same frame. For another filter, declare another read.
    """
    reads = report.reads[name]
    relation = reads.relation or name
    # A report that marks the selected events needs the others too.
    within = selection if reads.chosen_by is None else ReportSelection(qmgrs=selection.qmgrs)
    frame = rows_of(spark, read, relation, reads.columns, within, reads.owner).where(reads.where)
    if reads.chosen_by is not None:
        frame = _marked(frame, relation, replace(selection, qmgrs=()), reads.chosen_by)
    else:
        chosen = condition(replace(selection, qmgrs=()), relation)
        frame = frame if chosen is None else frame.where(chosen)
    return _with_clocks(frame, clocks(read))


def _marked(frame: DataFrame, relation: str, selection: ReportSelection, chosen_by: str) -> DataFrame:
    from pyspark.sql import functions as F

    chosen = condition(selection, relation, chosen_by)
    # An event without a queue is not selected.
    return frame.withColumn("chosen", F.lit(True) if chosen is None else F.coalesce(chosen, F.lit(False)))


def _with_clocks(frame: DataFrame, now: Mapping[str, int]) -> DataFrame:
    from pyspark.sql import functions as F

    if not now:
        return frame.withColumn("now", F.lit(None).cast("bigint"))
    pairs = [F.lit(value) for name, at in now.items() for value in (name, at)]
    return frame.withColumn("now", F.create_map(*pairs)[F.col("qmgr")].cast("bigint"))


def _usable(path: Path | None, out: Path, as_: str) -> Path:
    if as_ not in FORMATS:
        raise ReportError(f"a report cannot be written as {as_!r}; it can be {' or '.join(FORMATS)}")
    if path is not None and not path.is_file():
        raise ReportError(f"there is no store at {path}")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ReportError(f"the folder {out} for the reports cannot be created: {error.strerror}") from error
    return out
