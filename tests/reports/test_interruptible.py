"""Work in Spark that Ctrl-C ends."""

from __future__ import annotations

import os
import signal
import threading
from typing import TYPE_CHECKING

import pytest

from mqsc.reports.interruptible import interruptible

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_what_is_made_is_returned_and_an_error_is_that_of_the_work(spark: SparkSession) -> None:
    assert interruptible(spark, spark.range(3).count) == 3
    with pytest.raises(ZeroDivisionError):
        interruptible(spark, lambda: 1 // 0)


def test_an_interrupt_cancels_the_job(spark: SparkSession) -> None:
    endless = spark.sql(
        "SELECT sum(a.id * b.id) FROM range(10000000) a CROSS JOIN range(10000000) b",
    )
    tracker = spark.sparkContext.statusTracker()

    def interrupt() -> None:
        while not tracker.getActiveStageIds():
            continue
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        interruptible(spark, endless.toArrow)
    assert spark.range(3).count() == 3
