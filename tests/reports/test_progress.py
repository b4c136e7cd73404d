"""Progress messages while Spark works, and Ctrl-C."""

from __future__ import annotations

import os
import signal
import threading
from typing import TYPE_CHECKING

import pytest

from reports.progress import interruptible, progress_text, silent, watched

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_tasks_are_counted_over_all_stages() -> None:
    assert (progress_text("table", []), progress_text("table", [(0, 0)])) == ("table", "table")
    assert progress_text("table", [(0, 2)]) == "table: 0 of 2 tasks"
    assert progress_text("table", [(1, 2), (3, 8)]) == "table: 4 of 10 tasks"


def test_the_watcher_ends_with_its_work(spark: SparkSession) -> None:
    """When no progress is wanted, no thread watches. Other threads, such as those of Spark, may end at any time."""
    reported: list[str] = []
    before = set(threading.enumerate())
    with watched(spark, "table", silent):
        assert set(threading.enumerate()) <= before
    with watched(spark, "table", reported.append):
        (watcher,) = set(threading.enumerate()) - before
    assert not watcher.is_alive()
    assert reported[0] == "table"


def test_what_is_made_is_returned_and_an_error_is_that_of_the_work(spark: SparkSession) -> None:
    assert interruptible(spark, spark.range(3).count) == 3
    with pytest.raises(ZeroDivisionError):
        interruptible(spark, lambda: 1 // 0)


def test_an_interrupt_cancels_the_job(spark: SparkSession) -> None:
    """Without that, it would take years."""
    endless = spark.sql("SELECT sum(a.id * b.id) FROM range(10000000) a CROSS JOIN range(10000000) b")
    tracker = spark.sparkContext.statusTracker()

    def interrupt() -> None:
        while not tracker.getActiveStageIds():
            continue
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        interruptible(spark, endless.toArrow)
    assert spark.range(3).count() == 3
