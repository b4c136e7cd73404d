"""What Spark is doing, told while it works."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark import SparkContext

Progress = Callable[[str], None]
SECONDS_BETWEEN = 0.5


def silent(text: str) -> None:
    """Tell nobody."""


@contextmanager
def watched(context: SparkContext, what: str, progress: Progress) -> Iterator[None]:
    """Tell `progress` every half second how many tasks of the work inside the block are done, from another thread."""
    progress(what)
    if progress is silent:
        yield
        return
    done = threading.Event()
    watcher = threading.Thread(target=_tell, args=(context, what, progress, done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def told_of(what: str, stages: Iterable[tuple[int, int]]) -> str:
    """What is being done, and how many of the tasks at hand are done: `stages` are pairs of (done, all)."""
    done, tasks = (sum(counts) for counts in zip((0, 0), *stages, strict=True))
    return f"{what}: {done} of {tasks} tasks" if tasks else what


def _tell(context: SparkContext, what: str, progress: Progress, done: threading.Event) -> None:
    tracker = context.statusTracker()
    told = ""
    while not done.wait(SECONDS_BETWEEN):
        stages = [info for stage in tracker.getActiveStageIds() if (info := tracker.getStageInfo(stage))]
        text = told_of(what, [(stage.numCompletedTasks, stage.numTasks) for stage in stages])
        if text != told:
            progress(text)
            told = text
