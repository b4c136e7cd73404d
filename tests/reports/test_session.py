"""How Spark is started, in UTC and without output, and watched and interrupted while it works."""

from __future__ import annotations

import io
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reports.progress import interruptible, progress_text, silent, watched
from reports.session import FEW, INTERPRETED, JAVA_OPTIONS, SQL_SETTINGS, last_error, session
from tests.reports.history import expire, write_history

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_a_session_is_in_utc_and_has_the_store_as_a_source(spark: SparkSession, tmp_path: Path) -> None:
    path = write_history(tmp_path / "store.db", [expire()])
    assert spark.sql("SELECT CAST(timestamp_micros(0) AS STRING)").head() == ("1970-01-01 00:00:00",)
    options = {"path": str(path), "relation": "event", "last": "1", "partitions": "1"}
    assert spark.read.format("mqsc").options(**options).load().count() == 1


def test_it_starts_with_the_archive_of_classes_and_nothing_of_it_stays_in_the_environment(spark: SparkSession) -> None:
    """The setup of a clone makes the archive; elsewhere, this session makes one when it ends."""
    options = spark.sparkContext.getConf().get(JAVA_OPTIONS) or ""
    assert ("-XX:SharedArchiveFile=" in options) != ("-XX:ArchiveClassesAtExit=" in options)
    assert not {"PYSPARK_PYTHON", "SPARK_HOME"} & os.environ.keys()


def test_a_session_that_runs_is_used_and_keeps_its_settings(spark: SparkSession) -> None:
    spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    try:
        with session() as used:
            assert used is spark
            assert {name: used.conf.get(name) for name in SQL_SETTINGS} == SQL_SETTINGS
        assert spark.conf.get("spark.sql.session.timeZone") == "Europe/Berlin"
        assert spark.range(3).count() == 3
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")


def test_plans_for_few_events_are_interpreted(spark: SparkSession) -> None:
    """With more, or if the user wants to, they are compiled."""
    name = "spark.sql.codegen.factoryMode"
    spark.conf.unset(name)
    try:
        wanted = {name: "FALLBACK"}
        for events, settings, mode in ((FEW, {}, "NO_CODEGEN"), (FEW + 1, {}, "FALLBACK"), (FEW, wanted, "FALLBACK")):
            with session(events=events, settings=settings) as used:
                assert used.conf.get(name) == mode
            assert spark.conf.get(name) == "FALLBACK"
    finally:
        spark.conf.set(name, INTERPRETED[name])


def test_a_session_of_another_thread_is_used_too(spark: SparkSession) -> None:
    def use() -> bool:
        with session() as used:
            return used is spark and used.range(3).count() == 3

    with ThreadPoolExecutor(1) as other:
        assert other.submit(use).result()


LOGS: tuple[tuple[list[str], str], ...] = (
    ([], ""),
    (["Invalid maximum heap size: -Xmxx", "Error: Could not create the Java Virtual Machine."], "Invalid maximum heap"),
    (["26/01/01 00:00:00 ERROR B: Failed", "java.lang.Error: why", "\tat c(D)"], "B: Failed: java.lang.Error: why"),
    (["26/01/01 00:00:00 ERROR B: Failed", "26/01/01 00:00:00 INFO C: Shutdown hook called"], "B: Failed"),
)


@pytest.mark.parametrize(("lines", "cause"), LOGS)
def test_the_cause_in_a_log(lines: list[str], cause: str) -> None:
    assert last_error(io.BytesIO("\n".join(lines).encode())).startswith(cause)


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
