"""The progress of a run, and its interruption."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

from mqsc.reports.errors import failures
from mqsc.reports.masters import has_context

if TYPE_CHECKING:
    from pyspark import SparkContext, StatusTracker
    from pyspark.sql import SparkSession


Progress = Callable[[str], None]
SECONDS_BETWEEN = 0.5


def silent(text: str) -> None:
    """Report no progress."""


@contextmanager
def watched(spark: SparkSession, what: str, progress: Progress) -> Iterator[None]:
    """Call `progress` every half second, from another thread, with the number of finished tasks
    of the block.
    """
    progress(what)
    if progress is silent or not has_context(spark):
        yield
        return
    done = threading.Event()
    watcher = threading.Thread(
        target=_report,
        args=(spark.sparkContext, what, progress, done),
        daemon=True,
    )
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def progress_text(what: str, stages: Iterable[tuple[int, int]]) -> str:
    """`what`, with the numbers of finished and of all tasks; `stages` are pairs of (finished,
    all).
    """
    done, tasks = (sum(counts) for counts in zip((0, 0), *stages, strict=True))
    return f"{what}: {done} of {tasks} tasks" if tasks else what


def _report(context: SparkContext, what: str, progress: Progress, done: threading.Event) -> None:
    # The report itself says if Java has ended.
    with suppress(*failures()):
        _report_tasks(context.statusTracker(), what, progress, done)


def _report_tasks(
    tracker: StatusTracker,
    what: str,
    progress: Progress,
    done: threading.Event,
) -> None:
    reported = ""
    while not done.wait(SECONDS_BETWEEN):
        stages = [
            info for stage in tracker.getActiveStageIds() if (info := tracker.getStageInfo(stage))
        ]
        text = progress_text(what, [(stage.numCompletedTasks, stage.numTasks) for stage in stages])
        if stages and not any(stage.numActiveTasks or stage.numCompletedTasks for stage in stages):
            text = f"{what}: waiting for an executor"
        if text != reported:
            progress(text)
            reported = text


# Lets Ctrl-C end what Spark is doing.

Returned = TypeVar("Returned")
# A job that starts just then is cancelled the next time.
AGAIN_SECONDS = 0.5


def interruptible(spark: SparkSession, work: Callable[[], Returned]) -> Returned:
    """What `work` returns, after it was done in another thread.

    PySpark itself waits for the end of a job also after Ctrl-C, forever if a cluster has no
    executor for it.
    """
    tag = f"mqsc-{threading.get_ident()}"
    # Of the context where there is one: PySpark fetches rows in a thread of Java that has no tags
    # of the session.
    context = spark.sparkContext if has_context(spark) else None
    add, cancel = (
        (context.addJobTag, context.cancelJobsWithTag)
        if context
        else (spark.addTag, spark.interruptTag)
    )

    def tagged() -> Returned:
        add(tag)
        return work()

    with ThreadPoolExecutor(1) as thread:
        working = thread.submit(tagged)
        try:
            return working.result()
        except KeyboardInterrupt:
            while not working.done():
                cancel(tag)
                wait([working], AGAIN_SECONDS)
            raise
