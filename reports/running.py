"""One run of reports from start to end."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack

from mqsc.reports import catalog, frames, held_rows, identities
from mqsc.reports.declaration import ALL_ROWS, Reads, Report, Table, checked
from mqsc.reports.errors import ReportError, ReportFailedError
from mqsc.reports.executors import awaited
from mqsc.reports.interruptible import interruptible
from mqsc.reports.known_empty import is_known_empty, no_rows
from mqsc.reports.looking_back import related
from mqsc.reports.marked_rows import can_be_marked, marked_rows
from mqsc.reports.masters import is_local, require_archive, require_master, settings_of
from mqsc.reports.output import FORMATS, PAGE_FORMAT, Files, Output, Result, entries_of
from mqsc.reports.page import document, overview
from mqsc.reports.progress import Progress, silent, watched
from mqsc.reports.publication import publish, run_folder
from mqsc.reports.run_manifest import CREATED, facts_of, manifest_of
from mqsc.reports.selection import EVERYTHING, ReportSelection, condition, description, select, span
from mqsc.reports.session import FEW, QUICK_ROWS, interpreting, master_of, session
from mqsc.reports.sources import Archived, Sources, clocks, faults, holding, rows_of, sources
from mqsc.reports.spark_errors import cause_of, failures
from mqsc.reports.table_writing import MOST_ROWS, TableWriter, Target, is_for_executors, place_of
from mqsc.reports.units import in_detail
from mqsc.reports.url_publication import new_run, publish_run
from mqsc.store.published import AUTHORITY, KEPT, PENDING, Bound

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import Column, DataFrame, SparkSession


Taken = TypeVar("Taken")
Publish = Callable[[Sequence[Result], dict[str, Any]], list[Result]]
SUMMARY = 20
# The most queue managers that the title of a page names; of more, it names the stores.
MOST_NAMED = 5
NOTHING = Bound(0, 0, {})


class RunSettings(TypedDict, total=False):
    """What may be set of a run: see `run`."""

    bound: Bound
    archives: Sequence[str]
    archived: Archived | None
    since: str | int | None
    until: str | int | None
    qmgrs: Sequence[str]
    queues: Sequence[str]
    master: str
    conf: Sequence[str]
    summary: int
    created: int | None
    progress: Progress
    warn: Callable[[str], None]


def run(
    names: Sequence[str],
    path: str | PathLike[str] | None,
    out: str | PathLike[str],
    as_: str = "csv",
    **settings: Unpack[RunSettings],
) -> list[Result]:
    """Make the named reports from the store in the file `path`, up to `bound`, and write their
    tables under `out`.

    The name `daily` stands for all reports. `bound` is that of `Store.freeze`, so that all tables
    show one moment. `archives` are read too, or alone if `path` is None; then `archived` says how
    far the store is archived.

    A Spark session that there is already is used, also one of Spark Connect; otherwise one is
    started at `master` (local[*]), with the settings `conf`, each KEY=VALUE. A Spark that is not
    local reads only archives. If `out` is a URL, the executors write the tables: into a folder that
    this machine has too if it is a file: URL, otherwise to `out`/run-<id>.

    The caller must have closed the store: from now on only other processes touch its files (design
    §3.13). `since` (inclusive) and `until` (exclusive) are ISO 8601, UTC without an offset, or
    microseconds since 1970. Names in `queues` may end with *. `created` is the current time in
    microseconds UTC, for the manifest. `progress` is called with short texts. The results are in
    the order of the names and their tables, with the first `summary` (20) rows of each. Nothing
    under `out` changes before all of them are complete. `warn` is called with a sentence if events
    of the period are only in an archive that is not read, and for every identity of a report that
    does not hold; the manifest has them, too.

    Raises ReportError, before Spark starts wherever possible, for an unknown report or format, a
    bad period or queue, an unusable file or folder, missing libraries or a missing Java runtime,
    and if Spark does not start. Raises ReportFailedError for errors inside Spark after that.
    """
    if unknown := settings.keys() - RunSettings.__annotations__.keys():
        raise TypeError(f"run() got an unexpected keyword argument {min(unknown)!r}")
    reports = [catalog.report(name) for name in catalog.expanded(names)]
    if not reports:
        raise ReportError(f"name the report to make: {', '.join(catalog.names())}")
    period = settings.get("since"), settings.get("until")
    selection = select(*period, settings.get("qmgrs", ()), settings.get("queues", ()))
    conf, master = settings_of(settings.get("conf", ())), settings.get("master", "local[*]")
    require_master(master)
    if path is not None and not is_local(master):
        require_archive(master, path)
    store = None if path is None else Path(path)
    place = _usable(store, str(out), as_)
    archives, archived = settings.get("archives", ()), settings.get("archived")
    read = sources(store and store.absolute(), settings.get("bound", NOTHING), archives, archived)
    require_whole(read, reports, selection)
    progress = settings.get("progress", silent)
    warn = settings.get("warn", warnings.warn)
    if is_local(master):
        read = within_reach(read, reports, selection, as_, progress)

    @contextmanager
    def started() -> Iterator[SparkSession]:
        progress("starting Spark")
        # A period is most often a small part of a long history.
        quick = selection.since is not None or read.rows * len(reports) <= QUICK_ROWS
        with session(master, events=read.rows, quick=quick, settings=conf) as spark:
            if not is_local(master_of(spark)):
                require_archive(master_of(spark), path)
            with awaited(spark, warn):
                yield spark

    def make(spark: SparkSession, to: Target, finish: Publish) -> list[Result]:
        about = manifest_of(read, as_, selection, spark.version, settings.get("created"))
        summary = settings.get("summary", SUMMARY)
        by_driver = (
            output(to.out, as_, summary, read, selection, about)
            if isinstance(to.out, Path)
            else None
        )
        written = TableWriter(to, as_, summary, by_driver)
        results, broken = produce(spark, reports, read, written, selection, progress=progress)
        about["warnings"] = [*read.missing, *map(str, broken)]
        published = finish(results, about)
        for each in about["warnings"]:
            warn(each)
        return published

    if isinstance(place, str):
        with started() as spark:
            folder_url = new_run(spark, place)
            return make(
                spark,
                Target(folder_url, by_executors=True),
                partial(publish_run, spark, folder_url),
            )
    with (
        run_folder(place, entries_of([report.name for report in reports], as_)) as folder,
        started() as spark,
    ):
        published = make(
            spark,
            Target(
                folder,
                is_for_executors(str(out)),
                many=read.rows > MOST_ROWS,
                is_shared=is_local(master_of(spark)),
            ),
            partial(publish, folder),
        )
        # The first session takes some seconds for the class archive.
        progress("ending Spark")
        return published


def within_reach(
    read: Sources,
    reports: Sequence[Report],
    selection: ReportSelection,
    as_: str,
    progress: Progress = silent,
) -> Sources:
    """The sources with no more of earlier days than these reports need of them."""
    if not read.archives or selection.since is None or not _look_back(reports):
        return read
    progress("looking for what the period needs of earlier days")
    before = period_before(selection, read) if as_ == PAGE_FORMAT else None
    since = selection.since if before is None or before.since is None else before.since
    return related(read, since)


def require_whole(read: Sources, reports: Sequence[Report], selection: ReportSelection) -> None:
    """ReportFailedError if a file that these reports read is missing or has another size: Spark
    reads an empty one.
    """
    wrong = faults(read, EVERYTHING if _look_back(reports) else selection)
    if wrong:
        more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        raise ReportFailedError(f"{wrong[0]}{more}; mqsc archive verify checks the whole archive")


def produce(
    spark: SparkSession,
    reports: Sequence[Report],
    read: Sources,
    written: TableWriter,
    selection: ReportSelection,
    *,
    progress: Progress = silent,
) -> tuple[list[Result], list[identities.Broken]]:
    """Like `run`, in a running session and without its checks; also the identities that do not
    hold.
    """
    reports = [without_kept_data(report, read.bound) for report in reports]
    if is_small(spark, read):
        held = holding(read, _relations(reports), _opened(reports, read, written, selection))
        return _produced(spark, reports, held, written, selection, progress)
    return _produced(spark, reports, read, written, selection, progress)


def _relations(reports: Sequence[Report]) -> set[str]:
    return {reads.relation.name for report in reports for reads in report.reads.values()}


def _opened(
    reports: Sequence[Report],
    read: Sources,
    written: TableWriter,
    selection: ReportSelection,
) -> ReportSelection:
    """The period whose files are opened: everything if a report relates events to each other."""
    if _look_back(reports):
        return EVERYTHING
    before = period_before(selection, read) if written.compares else None
    return selection if before is None else replace(selection, since=before.since)


def _look_back(reports: Sequence[Report]) -> bool:
    return any(reads.chosen_by is not None for report in reports for reads in report.reads.values())


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


def is_of_everything(selection: ReportSelection, read: Sources) -> bool:
    """Whether no period is selected, and what is on the queues is known of every store."""
    no_period = selection.since is None and selection.until is None
    return (
        no_period
        and read.path is not None
        and all(archive.store == read.live for archive in read.archives)
    )


def output(
    out: Path,
    as_: str,
    summary: int,
    read: Sources,
    selection: ReportSelection,
    about: Mapping[str, Any],
) -> Output:
    """The writer of one of the FORMATS under `out`.

    `summary` is the number of rows of each table in its Result, `about` the beginning of the
    manifest.
    """
    if as_ != PAGE_FORMAT:
        return Files(out, as_, summary)
    period = overview.compared(selection.since, selection.until, now_of(read))
    facts = facts_of(about)
    sentence, *_ = description(selection, read.names, read.bound, read.removed)
    qmgrs = [name for name in read.qmgrs if name in (selection.qmgrs or read.qmgrs)]
    title = ", ".join(qmgrs) if 0 < len(qmgrs) <= MOST_NAMED else read.names
    return document.Page(
        out,
        summary,
        document.Source(
            title,
            dict(facts).get(CREATED, ""),
            sentence,
            facts,
            period,
            span(selection, now_of(read), read.removed),
            missing=read.missing,
            removed=read.removed,
        ),
    )


def period_before(selection: ReportSelection, read: Sources) -> ReportSelection | None:
    """The period of the same length before the selected one; None if none is selected."""
    period = overview.compared(selection.since, selection.until, now_of(read))
    if period is None or not period.is_selected:
        return None
    return replace(selection, since=period.start, until=period.middle)


def now_of(read: Sources) -> int | None:
    """The latest time of the queue managers' clocks; None if only archives are read."""
    return max(read.bound.now.values(), default=None)


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
    """What `take` returns for each table of the report. What is gathered stays for the reports
    made `later`. If it `takes_arrow`, tables that are known to be empty are made without Spark.
    """
    small, local = is_small(spark, read), is_local(master_of(spark))

    def load(name: str) -> DataFrame:
        frame = frame_of(spark, report, name, read, selection)
        # Archives do not say what is on queues.
        if read.path is None and report.reads[name].relation in (PENDING, AUTHORITY):
            read.few.add(frame)
        return frame

    def held(rows: pa.Table, frame: DataFrame) -> DataFrame:
        return held_rows.frame_of_held(spark, rows, frame.schema)

    def keep(frame: DataFrame) -> DataFrame:
        with watched(spark, report.name, progress):
            if small:
                rows = interruptible(spark, frame.toArrow)
                kept = held(rows, frame)
                if not rows.num_rows:
                    read.empty.add(kept)
                return kept
            frame.persist()
            # Now Spark knows how large it is, and joins it without moving the other rows if it is
            # small.
            if not local and interruptible(spark, frame.count):
                return frame
            rows = interruptible(spark, frame.limit(FEW + 1).toArrow)
            if rows.num_rows > FEW:
                return frame
        # Of rows that are in this process, Spark does not plan again how they were gathered.
        frame.unpersist()
        kept = held(rows, frame).hint("broadcast")
        read.few.add(kept)
        return kept

    gathered, results = read.gathered.setdefault(selection, {}), []
    with frames.releasing(read.gathered.values(), later):
        # Ungathered rows are not cached: reading them from SQLite again is faster.
        frame_for = frames.frames(report, load, keep, gathered, loads_once=small)

        def is_empty(table: Table) -> bool:
            if not (small and takes_arrow):
                return False
            if is_known_empty(read, report, table, gathered):
                return True
            # More may be known when they are gathered.
            for name in table.rows_from or table.reads:
                frame_for(name)
            return is_known_empty(read, report, table, gathered)

        for table in report.tables:
            if is_empty(table):
                results.append(take(table, no_rows(table)))
                continue
            needed = [frame_for(name) for name in table.reads]
            with watched(spark, f"{report.name}: {table.name}", progress):
                frame = checked(table, table.build(*needed))
                is_of_few = local and not small and all(each in read.few for each in needed)
                with interpreting(spark) if is_of_few else nullcontext():
                    results.append(interruptible(spark, partial(take, table, frame)))
    return results


def is_small(spark: SparkSession, read: Sources) -> bool:
    """Whether this process can hold all rows, which saves Spark most of the time that it takes
    for few rows.
    """
    return read.rows <= FEW and is_local(master_of(spark))


def frame_of(
    spark: SparkSession,
    report: Report,
    name: str,
    read: Sources,
    selection: ReportSelection,
) -> DataFrame:
    """The selected rows of one of the report's reads, with the time of each queue manager's clock,
    and `is_live`.

    If the read has `chosen_by`, the selection of periods and queues becomes a column instead of a
    filter. Filter the frame in one way only: Spark keeps the filters that it pushed to a Python
    data source and applies them to every other use of the same frame. For another filter, declare
    another read.
    """
    from pyspark.sql import functions as F

    reads = report.reads[name]
    relation = reads.relation.name
    held = read.held.get(relation)
    if held is not None and can_be_marked(read, reads, selection):
        rows, schema = marked_rows(read, held, reads, selection, clocks(read))
        marked = held_rows.frame_of_held(spark, rows, schema)
        if reads.with_member:
            marked = marked.withColumn("member", F.expr(in_detail("member")))
        return marked if reads.where == ALL_ROWS else marked.where(reads.where)
    # A report that marks the selected events needs the others too.
    within = selection if reads.chosen_by is None else ReportSelection(qmgrs=selection.qmgrs)
    frame = rows_of(spark, read, relation, reads, within)
    if reads.chosen_by is not None:
        frame = _marked(frame, relation, selection, reads)
    else:
        chosen = condition(replace(selection, qmgrs=()), relation)
        frame = frame if chosen is None else frame.where(chosen)
    # The live store is the first one.
    is_live = "store = 0" if read.path is not None else "FALSE"
    return frame.withColumns({"now": _clock(clocks(read)), "is_live": F.expr(is_live)})


def _marked(
    frame: DataFrame,
    relation: str,
    selection: ReportSelection,
    reads: Reads,
) -> DataFrame:
    period = ReportSelection(selection.since, selection.until)
    queues = ReportSelection(queues=selection.queues)
    marks = {"chosen": replace(period, queues=selection.queues)}
    if reads.apart:
        marks |= {"in_period": period, "named": queues}
    return frame.withColumns(
        {name: _is_selected(wanted, relation, reads) for name, wanted in marks.items()}
    )


def _is_selected(selection: ReportSelection, relation: str, reads: Reads) -> Column:
    from pyspark.sql import functions as F

    selected = condition(selection, relation, reads.chosen_by or "")
    # An event without a queue is not selected.
    return F.lit(True) if selected is None else F.coalesce(selected, F.lit(False))


def _clock(now: Mapping[str, int]) -> Column:
    from pyspark.sql import functions as F

    pairs = [F.lit(value) for name, at in now.items() for value in (name, at)]
    return (F.create_map(*pairs)[F.col("qmgr")] if pairs else F.lit(None)).cast("bigint")


def _usable(path: Path | None, out: str, as_: str) -> Path | str:
    """The folder, which there is then, or the URL to write to."""
    if as_ not in FORMATS:
        raise ReportError(
            f"a report cannot be written as {as_!r}; it can be {' or '.join(FORMATS)}",
        )
    if path is not None and not path.is_file():
        raise ReportError(f"there is no store at {path}")
    place = place_of(out, as_)
    if isinstance(place, Path):
        if place.exists() and not place.is_dir():
            raise ReportError(f"{place} is a file; name a folder for the reports")
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ReportError(
                f"the folder {place} for the reports cannot be created: {error.strerror}",
            ) from error
    return place
