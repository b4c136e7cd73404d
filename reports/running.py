"""One run of reports from start to end."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from mqsc.reports import catalog
from mqsc.reports.declaration import Report
from mqsc.reports.errors import ReportError
from mqsc.reports.executors import awaited
from mqsc.reports.masters import is_local, require_archive, require_master, settings_of
from mqsc.reports.output import FORMATS, PAGE_FORMAT, Files, Output, Result, entries_of
from mqsc.reports.page import document, overview
from mqsc.reports.periods import latest_time, require_whole, without_unneeded_days
from mqsc.reports.progress import Progress, silent
from mqsc.reports.publication import publish, run_folder
from mqsc.reports.run_manifest import CREATED, facts_of, manifest_of
from mqsc.reports.selection import ReportSelection, description, select, span
from mqsc.reports.session import QUICK_ROWS, master_of, session
from mqsc.reports.sources import NO_LIVE_STORE, Archived, Sources, sources
from mqsc.reports.table_building import produce
from mqsc.reports.table_writing import MOST_ROWS, TableWriter, Target, is_for_executors, place_of
from mqsc.reports.url_publication import new_run, publish_run
from mqsc.store.published import Bound

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


Publish = Callable[[Sequence[Result], dict[str, Any]], list[Result]]
SUMMARY = 20
# The most queue managers that the title of a page names; of more, it names the stores.
MOST_NAMED = 5


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

    The name `daily` stands for all reports. `bound` is the result of `Store.freeze`, so that all
    tables show one moment. `archives` are read too, or alone if `path` is None; `archived` says how
    far the store is archived.

    An existing Spark session is used, one of Spark Connect too; without one, a session is started
    at `master` (local[*]) with the settings `conf`, each KEY=VALUE. A Spark that is not local reads
    only archives. If `out` is a URL, the executors write the tables: for a file: URL into that
    folder, which this machine must share with them, otherwise to `out`/run-<id>.

    The caller must have closed the store: from now on only other processes touch its files (design
    §3.13). `since` (inclusive) and `until` (exclusive) are ISO 8601, UTC without an offset, or
    microseconds since 1970. Names in `queues` may end with *. `created` is the current time in
    microseconds UTC, for the manifest. `progress` is called with short texts.

    The results are in the order of the names and their tables, with the first `summary` (20) rows
    of each. Nothing under `out` changes before all tables are complete. `warn` is called with a
    sentence if events of the period are only in an archive that is not read, and for every identity
    of a report that does not hold; the manifest has these sentences, too.

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
    bound = settings.get("bound", NO_LIVE_STORE)
    read = sources(store and store.absolute(), bound, archives, archived)
    require_whole(read, reports, selection)
    progress = settings.get("progress", silent)
    if is_local(master):
        is_compared = as_ == PAGE_FORMAT
        read = without_unneeded_days(read, reports, selection, progress, is_compared=is_compared)
    this_run = _Run(
        reports,
        read,
        selection,
        as_,
        master,
        conf,
        settings.get("summary", SUMMARY),
        settings.get("created"),
        progress,
        settings.get("warn", warnings.warn),
    )
    if isinstance(place, str):
        return this_run.to_url(place)
    return this_run.to_folder(place, by_executors=is_for_executors(str(out)))


def _usable(path: Path | None, out: str, as_: str) -> Path | str:
    """The folder to write to, which is created if necessary, or the URL."""
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


@dataclass(frozen=True, slots=True)
class _Run:
    """A run whose options have been checked. `as_` is the format, `summary` the number of rows of
    each table in its Result, `created` the time for the manifest.
    """

    reports: Sequence[Report]
    read: Sources
    selection: ReportSelection
    as_: str
    master: str
    conf: Mapping[str, str]
    summary: int
    created: int | None
    progress: Progress
    warn: Callable[[str], None]

    def to_url(self, url: str) -> list[Result]:
        """Make the reports; the executors write their tables into a new folder at the URL."""
        with self._session() as spark:
            folder_url = new_run(spark, url)
            target = Target(folder_url, by_executors=True)
            return self._make(spark, target, partial(publish_run, spark, folder_url))

    def to_folder(self, place: Path, *, by_executors: bool) -> list[Result]:
        """Make the reports and write them into a folder of this machine, all or none."""
        entries = entries_of([report.name for report in self.reports], self.as_)
        with run_folder(place, entries) as folder, self._session() as spark:
            target = Target(
                folder,
                by_executors,
                many=self.read.rows > MOST_ROWS,
                is_shared=is_local(master_of(spark)),
            )
            published = self._make(spark, target, partial(publish, folder))
            # The first session takes some seconds for the class archive.
            self.progress("ending Spark")
            return published

    @contextmanager
    def _session(self) -> Iterator[SparkSession]:
        """A session that can read the sources."""
        self.progress("starting Spark")
        rows = self.read.rows
        # A period is most often a small part of a long history.
        quick = self.selection.since is not None or rows * len(self.reports) <= QUICK_ROWS
        with session(self.master, events=rows, quick=quick, settings=self.conf) as spark:
            if not is_local(master_of(spark)):
                require_archive(master_of(spark), self.read.path)
            with awaited(spark, self.warn):
                yield spark

    def _make(self, spark: SparkSession, target: Target, finish: Publish) -> list[Result]:
        """Write all tables to the target, `finish` the run with the results and the manifest, and
        warn of what may be wrong in them.
        """
        read, selection = self.read, self.selection
        manifest = manifest_of(read, self.as_, selection, spark.version, self.created)
        by_driver = self._output(target.out, manifest) if isinstance(target.out, Path) else None
        writer = TableWriter(target, self.as_, self.summary, by_driver)
        results, broken = produce(
            spark, self.reports, read, writer, selection, progress=self.progress
        )
        manifest["warnings"] = [*read.missing, *map(str, broken)]
        published = finish(results, manifest)
        for each in manifest["warnings"]:
            self.warn(each)
        return published

    def _output(self, out: Path, manifest: Mapping[str, Any]) -> Output:
        """What this process writes the tables with."""
        if self.as_ != PAGE_FORMAT:
            return Files(out, self.as_, self.summary)
        return document.Page(out, self.summary, self._source(facts_of(manifest)))

    def _source(self, facts: list[tuple[str, str]]) -> document.Source:
        """What a page says about the data that it was made from."""
        read, selection = self.read, self.selection
        now = latest_time(read)
        sentence, *_ = description(selection, read.names, read.bound, read.removed)
        qmgrs = [name for name in read.qmgrs if name in (selection.qmgrs or read.qmgrs)]
        return document.Source(
            name=", ".join(qmgrs) if 0 < len(qmgrs) <= MOST_NAMED else read.names,
            made_at=dict(facts).get(CREATED, ""),
            sentence=sentence,
            facts=facts,
            period=overview.compared(selection.since, selection.until, now),
            span=span(selection, now, read.removed),
            missing=read.missing,
            removed=read.removed,
        )
