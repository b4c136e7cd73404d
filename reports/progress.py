"""The progress of a run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from mqsc.reports.masters import has_context
from mqsc.reports.watching import watched_by

if TYPE_CHECKING:
    from pyspark import SparkContext
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
    with watched_by(partial(_report, spark.sparkContext, what, progress)):
        yield


def progress_text(what: str, stages: Iterable[tuple[int, int]]) -> str:
    """`what`, with the numbers of finished and of all tasks; `stages` are pairs of (finished,
    all).
    """
    done, tasks = (sum(counts) for counts in zip((0, 0), *stages, strict=True))
    return f"{what}: {done} of {tasks} tasks" if tasks else what


def _report(context: SparkContext, what: str, progress: Progress, done: threading.Event) -> None:
    tracker = context.statusTracker()
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
