"""From names and options to written tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from reports import catalog
from reports.declaration import Report, checked
from reports.fault import MakingFault, ReportError
from reports.output import FORMATS, Output, Result, output
from reports.progress import Progress, silent, watched
from reports.selection import Selection, condition, select, told
from store.published import Bound

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SUMMARY = 20


def run(
    names: Sequence[str],
    path: str | PathLike[str],
    out: str | PathLike[str],
    as_: str = "csv",
    *,
    bound: Bound,
    since: str | None = None,
    until: str | None = None,
    qmgrs: Sequence[str] = (),
    queues: Sequence[str] = (),
    master: str = "local[*]",
    summary: int = SUMMARY,
    progress: Progress = silent,
) -> list[Result]:
    """Make the named reports from the store in the file `path`, up to `bound`, and write their tables under `out`.

    The caller has closed the store: from here on only Spark's workers touch its files (design §3.13). `since` and
    `until` are ISO 8601, UTC where no offset is named, and mean events from the one up to but not including the other.
    `queues` may end with *. `progress` is told in short texts what is going on. The results come in the order of the
    names and their tables, with the first `summary` rows of each.

    Raises ReportError for an unknown report or format, a bad period or queue, a file or folder that cannot be used, no
    Java runtime, and a Spark that does not start; MakingFault for whatever goes wrong inside Spark later. What can be
    checked is checked before Spark starts.
    """
    reports = [catalog.report(name) for name in dict.fromkeys(names)]
    if not reports:
        raise ReportError(f"name the report to make: {', '.join(catalog.names())}")
    selection = select(since, until, qmgrs, queues)
    folder = _usable(Path(path), Path(out), as_)
    from reports.session import session

    progress("starting Spark")
    with session(master, events=max(bound.seq, bound.message)) as spark:
        return produce(spark, reports, Path(path), folder, as_, bound, selection, summary=summary, progress=progress)


def produce(
    spark: SparkSession,
    reports: Sequence[Report],
    path: Path,
    out: Path,
    as_: str,
    bound: Bound,
    selection: Selection,
    *,
    summary: int = SUMMARY,
    progress: Progress = silent,
) -> list[Result]:
    """Make reports in a session that runs; as `run`, whose checks have been made."""
    from reports.session import cause_of, failures

    results = []
    written = output(out, as_, summary, told(selection, path.name, bound))
    try:
        for report in reports:
            results += _tables(spark, report, path.absolute(), bound, selection, progress, written)
            written.end(report)
    except failures() as error:
        raise MakingFault(f"the report {report.name} cannot be made: {cause_of(error)}") from error
    return results


def _tables(
    spark: SparkSession,
    report: Report,
    path: Path,
    bound: Bound,
    selection: Selection,
    progress: Progress,
    written: Output,
) -> list[Result]:
    def load(name: str) -> DataFrame:
        return frame_of(spark, report, name, path, bound, selection)

    gathered = {
        name: reads.gather(load(name), *map(load, reads.beside)).persist()
        for name, reads in report.reads.items()
        if reads.gather
    }
    results = []
    try:
        for table in report.tables:
            with watched(spark.sparkContext, f"{report.name}: {table.name}", progress):
                # Rows as they are read are not kept: reading them from SQLite again is faster than keeping them.
                built = table.build(*(gathered[name] if name in gathered else load(name) for name in table.reads))
                results.append(written.write(report, table, checked(table, built).toArrow()))
    finally:
        # The session may be somebody else's, and go on.
        for frame in gathered.values():
            frame.unpersist()
    return results


def frame_of(
    spark: SparkSession, report: Report, name: str, path: Path, bound: Bound, selection: Selection
) -> DataFrame:
    """The rows that one of the report's reads means and the selection names, with the clock of each queue manager.

    Where the read names in `chosen_by` what is chosen by, the selection but for the queue managers is a column. To be
    filtered in one way only: Spark keeps the filters that it gave to a Python data source, and applies them to every
    other use of the same frame. Another way to filter is another read.
    """
    from reports.source import FORMAT, schema_of

    reads = report.reads[name]
    relation = reads.relation or name
    options = {
        "path": str(path),
        "relation": relation,
        "last": str(bound.seq if relation == "event" else bound.message),
        "partitions": str(spark.sparkContext.defaultParallelism),
    }
    frame = spark.read.format(FORMAT).schema(schema_of(relation, reads.columns)).options(**options).load()
    frame = frame.where(reads.where)
    if reads.chosen_by is not None:
        frame = _marked(frame, relation, replace(selection, qmgrs=()), reads.chosen_by)
        selection = Selection(qmgrs=selection.qmgrs)
    chosen = condition(selection, relation)
    return _with_clocks(frame if chosen is None else frame.where(chosen), bound.now)


def _marked(frame: DataFrame, relation: str, selection: Selection, chosen_by: str) -> DataFrame:
    from pyspark.sql import functions as F

    chosen = condition(selection, relation, chosen_by)
    # An event of no queue is not one of the queues that were chosen.
    return frame.withColumn("chosen", F.lit(True) if chosen is None else F.coalesce(chosen, F.lit(False)))


def _with_clocks(frame: DataFrame, now: Mapping[str, int]) -> DataFrame:
    from pyspark.sql import functions as F

    if not now:
        return frame.withColumn("now", F.lit(None).cast("bigint"))
    pairs = [F.lit(value) for name, at in now.items() for value in (name, at)]
    return frame.withColumn("now", F.create_map(*pairs)[F.col("qmgr")].cast("bigint"))


def _usable(path: Path, out: Path, as_: str) -> Path:
    if as_ not in FORMATS:
        raise ReportError(f"a report cannot be written as {as_!r}; it can be {' or '.join(FORMATS)}")
    if not path.is_file():
        raise ReportError(f"there is no store at {path}")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ReportError(f"the folder {out} for the reports cannot be made: {error.strerror}") from error
    return out
