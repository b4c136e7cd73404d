"""Lets Ctrl-C end what Spark is doing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Made = TypeVar("Made")
# A job that starts just then is cancelled the next time.
AGAIN_SECONDS = 0.5


class _Jobs(NamedTuple):
    """How to tag the jobs of a thread, and to cancel those with a tag."""

    add: Callable[[str], object]
    cancel: Callable[[str], object]


def _jobs_of(spark: SparkSession) -> _Jobs:
    # Spark Connect has no context.
    if not hasattr(spark, "_jsparkSession"):
        return _Jobs(spark.addTag, spark.interruptTag)
    return _Jobs(spark.sparkContext.addJobTag, spark.sparkContext.cancelJobsWithTag)


def interruptible(spark: SparkSession, work: Callable[[], Made]) -> Made:
    """What `work` returns, after it was done in another thread.

    PySpark itself waits for the end of a job also after Ctrl-C, forever if a cluster has no executor for it.
    """
    tag = f"mqsc-{threading.get_ident()}"

    jobs = _jobs_of(spark)

    def tagged() -> Made:
        # Of the context where there is one: PySpark fetches rows in a thread of Java that has no tags of the session.
        jobs.add(tag)
        return work()

    with ThreadPoolExecutor(1) as thread:
        working = thread.submit(tagged)
        try:
            return working.result()
        except KeyboardInterrupt:
            while not working.done():
                jobs.cancel(tag)
                wait([working], AGAIN_SECONDS)
            raise
