"""Reports kept up to date while archives arrive: a stream of commit files, each batch of which
makes them again.

A batch is a run like any other. It reads every archived event once, by its store and number, and
publishes all tables or none, so that they are what a run gives, wherever the one before was killed.
The checkpoint of the stream has the commit files whose events are in published tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import reduce
from hashlib import sha256
from queue import Empty, Queue
from threading import Event
from typing import TYPE_CHECKING, Unpack

from pyspark.sql import DataFrame

from mqsc.reports.archive.merging import ArchivedStore, merged
from mqsc.reports.archive.place import existing_place
from mqsc.reports.errors import ReportError, ReportFailedError
from mqsc.reports.masters import CONNECT, settings_of
from mqsc.reports.output import Result
from mqsc.reports.running import RunSettings, run
from mqsc.reports.session import FEW, session
from mqsc.reports.spark_errors import cause_of, failures
from mqsc.reports.table_writing import Target, place_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


# The commit files of an archive, and those of one that an earlier version began.
COMMIT_FILES = "store=*/{_commits,commits}"
# How often the stream looks for new ones.
INTERVAL = "2 seconds"
_SECONDS = 1.0
AfterRun = Callable[[list[Result], Sequence[ArchivedStore]], None]


def keep_current(
    names: Sequence[str],
    out: str,
    as_: str,
    each_time: Callable[[], RunSettings],
    after_run: AfterRun,
    period: tuple[object, object] = (None, None),
    **settings: Unpack[RunSettings],
) -> None:
    """Make reports from `archives` as `run` does, and again whenever more was archived, until
    Ctrl-C.

    `each_time` has the settings of a run that depend on the time; `after_run` is called with the
    results and what they are from. `period` is the one that was asked for, such as the last two
    hours: runs that were asked for something else do not continue this one. Raises ReportError as
    `run` does, also when there is no archive yet, and for a server of Spark Connect.
    """
    archives = settings["archives"]
    # Those of the session are of no run in it.
    master, conf = settings.get("master", "local[*]"), settings_of(settings.pop("conf", ()))
    if master.startswith(CONNECT):
        raise ReportError(
            f"{master} cannot keep reports up to date: it runs the program of a stream; name "
            "another master",
        )
    merged(archives)
    chosen = (names, as_, archives, *map(settings.get, ("qmgrs", "queues")), *period)
    checkpoint = (
        f"{Target(place_of(out, as_)).url}/.live-{sha256(repr(chosen).encode()).hexdigest()[:12]}"
    )
    wanted: Queue[Event] = Queue()

    def announce(batch: DataFrame, number: int) -> None:
        # The reports are made in the session and the thread of this function, which Ctrl-C
        # interrupts.
        done = Event()
        wanted.put(done)
        done.wait()

    last: dict[str, int] = {}
    # It runs long, so that thorough compilation pays.
    with session(master, events=FEW + 1, quick=False, settings=conf) as spark:
        try:
            writer = commit_files(spark, archives).writeStream.foreachBatch(announce)
            query = (
                writer.option("checkpointLocation", checkpoint)
                .trigger(processingTime=INTERVAL)
                .start()
            )
        except failures() as error:
            raise ReportFailedError(
                f"the stream of {', '.join(archives)} does not start: {cause_of(error)}",
            ) from error
        while query.isActive:
            with suppress(Empty):
                done = wanted.get(timeout=_SECONDS)
                read = merged(archives)
                bound = {each.store: each.last for each in read}
                if bound != last:
                    settings.update(each_time())
                    after_run(run(names, None, out, as_, **settings), read)
                    last = bound
                done.set()
        ended = query.exception()
        raise ReportFailedError(
            f"the stream of {', '.join(archives)} has ended: {cause_of(ended) if ended else ''}",
        )


def commit_files(spark: SparkSession, archives: Sequence[str]) -> DataFrame:
    """A stream with the text of each commit file of the archives."""
    reader = spark.readStream.schema("value STRING").option("wholetext", "true")
    places = (existing_place(archive).url_of("").rstrip("/") for archive in archives)
    return reduce(DataFrame.union, [reader.text(f"{place}/{COMMIT_FILES}") for place in places])
