"""Makes reports: from names and options to written tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from reports import catalog
from reports.declaration import Report, checked
from reports.errors import ReportError, ReportFailedError
from reports.interrupting import interruptible
from reports.masters import is_local, require_archive, settings_of
from reports.output import FORMATS, Result, entry_of
from reports.progress import Progress, silent, watched
from reports.provenance import manifest_of
from reports.publication import publish, run_folder
from reports.published_url import new_run, publish_run
from reports.selection import ReportSelection, condition, description, select
from reports.sources import Archived, Sources, clocks, rows_of, sources
from reports.table_writing import MOST_ROWS, TableWriter, Target, is_for_executors, place_of
from store.published import Bound

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SUMMARY = 20
NOTHING = Bound(0, 0, {})
LIBRARIES = ("pyspark", "pyarrow", "adbc_driver_manager", "adbc_driver_sqlite")
INSTALL = "pip install 'mqsc[reports]'"


def run(
    names: Sequence[str],
    path: str | PathLike[str] | None,
    out: str | PathLike[str],
    as_: str = "csv",
    *,
    bound: Bound = NOTHING,
    archives: Sequence[str] = (),
    archived: Archived | None = None,
    since: str | None = None,
    until: str | None = None,
    qmgrs: Sequence[str] = (),
    queues: Sequence[str] = (),
    master: str = "local[*]",
    conf: Sequence[str] = (),
    summary: int = SUMMARY,
    progress: Progress = silent,
) -> list[Result]:
    """Make the named reports from the store in the file `path`, up to `bound`, and write their tables under `out`.

    The name `daily` stands for all reports. `bound` is that of `Store.freeze`, so that all tables show one moment.
    `archives` are read too, or alone if `path` is None; then `archived` says how far the store is archived.

    A Spark session that there is already is used, also one of Spark Connect; otherwise one is started at `master`, with
    the settings `conf`, each KEY=VALUE. A Spark that is not local reads only archives. If `out` is a URL, the executors
    write the tables: into a folder that this machine has too if it is a file: URL, otherwise to `out`/run-<id>.

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
    settings = settings_of(conf)
    if path is not None and not is_local(master):
        require_archive(master, path)
    place = _usable(None if path is None else Path(path), str(out), as_)
    read = sources(None if path is None else Path(path).absolute(), bound, archives, archived)
    from reports.session import master_of, session

    @contextmanager
    def started() -> Iterator[SparkSession]:
        progress("starting Spark")
        with session(master, events=read.rows, settings=settings) as spark:
            if not is_local(master_of(spark)):
                require_archive(master_of(spark), path)
            yield spark

    def make(spark: SparkSession, to: Target) -> list[Result]:
        return produce(spark, reports, read, to, as_, selection, summary=summary, progress=progress)

    if isinstance(place, str):
        with started() as spark:
            unpublished = new_run(spark, place)
            results = make(spark, Target(unpublished, by_executors=True))
            return publish_run(spark, unpublished, results, manifest_of(read, as_, selection, spark.version))
    with run_folder(place, [entry_of(report.name, as_) for report in reports]) as folder, started() as spark:
        many = read.rows > MOST_ROWS and is_local(master_of(spark))
        results = make(spark, Target(folder, is_for_executors(str(out)), many))
        return publish(folder, results, manifest_of(read, as_, selection, spark.version))


def _require_libraries() -> None:
    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        raise ReportError(f"reports need the libraries of the extra mqsc[reports]; install them with {INSTALL}")


def produce(
    spark: SparkSession,
    reports: Sequence[Report],
    read: Sources,
    to: Target,
    as_: str,
    selection: ReportSelection,
    *,
    summary: int = SUMMARY,
    progress: Progress = silent,
) -> list[Result]:
    """Like `run`, in a running session and without its checks."""
    from reports.session import cause_of, failures

    results = []
    written = TableWriter(to, as_, summary, description(selection, read.names, read.bound))
    try:
        for report in reports:
            results += _tables(spark, report, read, selection, progress, written)
            written.end(report)
    except failures() as error:
        raise ReportFailedError(f"the report {report.name} cannot be made: {cause_of(error)}") from error
    return results


def _tables(
    spark: SparkSession,
    report: Report,
    read: Sources,
    selection: ReportSelection,
    progress: Progress,
    written: TableWriter,
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
            with watched(spark, f"{report.name}: {table.name}", progress):
                # Ungathered rows are not cached: reading them from SQLite again is faster.
                built = table.build(*(gathered[name] if name in gathered else load(name) for name in table.reads))
                frame = checked(table, built)
                results.append(interruptible(spark, partial(written.write, report, table, frame)))
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
    frame = rows_of(spark, read, relation, reads.columns, within).where(reads.where)
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


def _usable(path: Path | None, out: str, as_: str) -> Path | str:
    """The folder, which there is then, or the URL to write to."""
    if as_ not in FORMATS:
        raise ReportError(f"a report cannot be written as {as_!r}; it can be {' or '.join(FORMATS)}")
    if path is not None and not path.is_file():
        raise ReportError(f"there is no store at {path}")
    place = place_of(out, as_)
    if isinstance(place, Path):
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ReportError(f"the folder {place} for the reports cannot be created: {error.strerror}") from error
    return place
